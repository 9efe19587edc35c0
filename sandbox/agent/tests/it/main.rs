mod context;
mod fitting;
mod looking;
mod play;
mod providers;
mod resume;
mod scripts;
mod world;
