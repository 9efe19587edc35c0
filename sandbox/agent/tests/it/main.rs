mod context;
mod play;
mod providers;
mod resume;
mod scripts;
mod world;
