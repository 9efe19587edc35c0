use protocol::UserId;

pub struct Store;

impl Store {
    pub fn lasting() -> Self {
        Self
    }

    pub fn of_person(_person: &UserId) -> Self {
        Self
    }

    pub fn read(&self, _name: &str) -> Option<String> {
        None
    }

    pub fn write(&self, _name: &str, _text: &str) {}

    pub fn names(&self, _begin: &str) -> Vec<String> {
        Vec::new()
    }
}

pub fn forget_own() {}
