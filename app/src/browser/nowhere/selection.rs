use leptos::ev::MouseEvent;

pub fn beside(_event: &MouseEvent, _place: &str) -> Option<String> {
    None
}
