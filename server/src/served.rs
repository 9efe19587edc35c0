//! The agents of a person for other programs: as tools, in the words of MCP, and as agents, in those of A2A.
//! What a run is and may do is the hub's; here it comes in and goes out.

pub mod a2a;
mod door;
pub mod mcp;
mod rpc;
