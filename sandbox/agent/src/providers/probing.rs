pub struct Attempt;
pub struct Candidate;
pub struct Judgement;
pub fn candidates() {}
pub fn summarise() {}
