//! What somebody wrote, ticked and chose before the program was there. On a slow network that takes seconds; whoever was
//! quicker keeps what they did, and what hears of their hand hears of it then.

use leptos::prelude::document;
use leptos::wasm_bindgen::prelude::Closure;
use leptos::wasm_bindgen::{JsCast, JsValue};
use leptos::web_sys::{
    Element, Event, EventInit, HtmlInputElement, HtmlOptionElement, HtmlSelectElement, HtmlTextAreaElement,
};
use std::cell::RefCell;
use std::rc::Rc;

const FIELDS: [&str; 3] = ["input", "textarea", "select"];

/// The fields that are other than the hub sent them, and how.
pub struct Filled {
    fields: Rc<RefCell<Vec<(Element, State)>>>,
    hears: Closure<dyn Fn(Event)>,
}

#[derive(PartialEq)]
enum State {
    Text(String),
    Ticked(bool),
    /// Which options are chosen.
    Chosen(Vec<bool>),
    /// Files, which only a person can choose.
    Files,
}

/// Looks at every field, and from here on at each that a hand changes.
pub fn note() -> Filled {
    let fields: Vec<_> =
        all().into_iter().filter_map(|field| Some((field.clone(), changed(&field)?))).collect();
    let fields = Rc::new(RefCell::new(fields));
    let known = Rc::clone(&fields);
    let hears = Closure::new(move |event: Event| {
        let field = event.target().and_then(|target| target.dyn_into::<Element>().ok());
        let Some((field, state)) = field.and_then(|field| Some((field.clone(), state(&field)?))) else {
            return;
        };
        let mut known = known.borrow_mut();
        known.retain(|(other, _)| *other != field);
        known.push((field, state));
    });
    // A document takes any listener.
    let _ =
        document().add_event_listener_with_callback_and_bool("input", hears.as_ref().unchecked_ref(), true);
    Filled { fields, hears }
}

impl Filled {
    /// Once the page reacts: fills in what taking it over has undone, and tells of all of it.
    pub fn put_back(self) {
        let heard = self.hears.as_ref().unchecked_ref();
        let _ = document().remove_event_listener_with_callback_and_bool("input", heard, true);
        let mut fields = self.fields.take();
        // What is chosen counts more than what is written: some fields choose themselves by that.
        fields.sort_by_key(|(_, state)| !matches!(state, State::Text(_)));
        for (field, state) in fields {
            if field.is_connected() {
                put(&field, &state);
                // Of the ways to choose one thing the chosen one tells.
                if !(is_radio(&field) && state == State::Ticked(false)) {
                    tell(&field);
                }
            }
        }
    }
}

fn all() -> Vec<Element> {
    let found = FIELDS.map(|name| document().get_elements_by_tag_name(name));
    found.iter().flat_map(|found| (0..found.length()).filter_map(|place| found.item(place))).collect()
}

fn options(select: &HtmlSelectElement) -> Vec<HtmlOptionElement> {
    (0..select.length()).filter_map(|place| select.item(place)?.dyn_into().ok()).collect()
}

fn is_radio(field: &Element) -> bool {
    field.dyn_ref::<HtmlInputElement>().is_some_and(|input| input.type_() == "radio")
}

fn state(field: &Element) -> Option<State> {
    if let Some(area) = field.dyn_ref::<HtmlTextAreaElement>() {
        return Some(State::Text(area.value()));
    }
    if let Some(select) = field.dyn_ref::<HtmlSelectElement>() {
        return Some(State::Chosen(options(select).iter().map(HtmlOptionElement::selected).collect()));
    }
    let input = field.dyn_ref::<HtmlInputElement>()?;
    Some(match input.type_().as_str() {
        "checkbox" | "radio" => State::Ticked(input.checked()),
        "file" => State::Files,
        "hidden" | "submit" | "button" | "reset" | "image" => return None,
        _ => State::Text(input.value()),
    })
}

/// How it is, if that is not how the hub sent it.
fn changed(field: &Element) -> Option<State> {
    let state = state(field)?;
    let is_as_sent = match &state {
        State::Text(text) => match field.dyn_ref::<HtmlTextAreaElement>() {
            Some(area) => area.default_value().is_ok_and(|sent| sent == *text),
            None => field.dyn_ref::<HtmlInputElement>().is_some_and(|input| input.default_value() == *text),
        },
        State::Ticked(is_ticked) => {
            field.dyn_ref::<HtmlInputElement>().is_some_and(|input| input.default_checked() == *is_ticked)
        }
        State::Chosen(chosen) => field.dyn_ref::<HtmlSelectElement>().is_some_and(|select| {
            let options = options(select);
            let sent: Vec<bool> = options.iter().map(HtmlOptionElement::default_selected).collect();
            // Where the hub chose none, a list of one line shows its first.
            let first = options.iter().position(|option| !option.disabled());
            let is_first = !select.multiple() && chosen.iter().position(|is_chosen| *is_chosen) == first;
            *chosen == sent || (is_first && !sent.contains(&true))
        }),
        State::Files => field
            .dyn_ref::<HtmlInputElement>()
            .and_then(HtmlInputElement::files)
            .is_none_or(|files| files.length() == 0),
    };
    (!is_as_sent).then_some(state)
}

fn put(field: &Element, wanted: &State) {
    if state(field).is_some_and(|state| state == *wanted) {
        return;
    }
    match wanted {
        State::Text(text) => {
            if let Some(area) = field.dyn_ref::<HtmlTextAreaElement>() {
                area.set_value(text);
            } else if let Some(input) = field.dyn_ref::<HtmlInputElement>() {
                input.set_value(text);
            }
        }
        State::Ticked(is_ticked) => {
            if let Some(input) = field.dyn_ref::<HtmlInputElement>() {
                input.set_checked(*is_ticked);
            }
        }
        State::Chosen(chosen) => {
            let Some(select) = field.dyn_ref::<HtmlSelectElement>() else { return };
            for (option, is_chosen) in options(select).iter().zip(chosen) {
                if option.selected() != *is_chosen {
                    option.set_selected(*is_chosen);
                }
            }
        }
        State::Files => {}
    }
}

fn tell(field: &Element) {
    let bubbling = EventInit::new();
    bubbling.set_bubbles(true);
    for name in ["input", "change"] {
        let told =
            Event::new_with_event_init_dict(name, &bubbling).and_then(|event| field.dispatch_event(&event));
        if told.is_err_and(|error: JsValue| !error.is_undefined()) {
            leptos::logging::warn!("What was filled in before the page reacted was not told to it.");
        }
    }
}
