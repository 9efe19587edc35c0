mod context;
mod fitting;
mod play;
mod providers;
mod resume;
mod scripts;
mod world;
