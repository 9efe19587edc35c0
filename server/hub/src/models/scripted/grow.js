const fern = document.querySelector("#fern");
if (!fern) throw new Error("There is no fern in this page.");
fern.querySelectorAll(".leaf").forEach((leaf, at) => leaf.classList.toggle("grown", at < leaves));
fern.setAttribute("aria-label", `A fern with ${leaves} leaves`);
document.querySelector("#said").textContent = said;
return { leaves };
