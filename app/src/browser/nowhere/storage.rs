pub struct Store;

impl Store {
    pub fn lasting() -> Self {
        Self
    }

    pub fn of_tab() -> Self {
        Self
    }

    pub fn read(&self, _key: &str) -> Option<String> {
        None
    }

    pub fn write(&self, _key: &str, _text: &str) {}
}
