// Reads what `cargo test --message-format json` says, and says where the program is that a target of a folder became:
// node program_of.mjs FOLDER TARGET
import { readFileSync } from 'node:fs';

const [folder, target] = process.argv.slice(2);
for (const line of readFileSync(0, 'utf8').split('\n').filter((text) => text.startsWith('{'))) {
  const told = JSON.parse(line);
  if (told.executable && told.target.name === target && told.manifest_path.endsWith(`/${folder}/Cargo.toml`)) {
    console.log(told.executable);
  }
}
