//! What somebody told over a year, in English and German, and questions about it: of something said once, said in
//! several conversations, said with its day, changed since, contradicted since, and never said. Between these stands
//! what shares their words. It is the same each time.

use std::collections::HashSet;

/// Language, kind, what it is to the question of that kind, how many days ago it was said, the sentence.
const LINES: &str = include_str!("planted.tsv");
const KINDS: [&str; 6] = ["single", "several", "time", "updated", "contradicted", "absent"];
const LANGUAGES: [&str; 2] = ["english", "german"];
const NAMES: [&str; 6] = ["Abel", "Britta", "Carlo", "Dunja", "Edgar", "Frieda"];
const CITIES: [&str; 8] = ["Bergen", "Coimbra", "Delft", "Gent", "Krems", "Odense", "Pisa", "Turku"];
const THINGS: [[&str; 12]; 2] = [
    [
        "barley", "clover", "fennel", "lentils", "poppies", "sesame", "oats", "nettles", "parsnips",
        "quinces", "radishes", "spinach",
    ],
    [
        "Gerste", "Klee", "Fenchel", "Linsen", "Mohn", "Sesam", "Hafer", "Nesseln", "Möhren", "Quitten",
        "Rettich", "Spinat",
    ],
];
/// How many of what is found a reader looks at.
pub const DEPTHS: [usize; 3] = [1, 5, 10];

pub struct Fact {
    pub text: String,
    pub days_ago: i64,
}

pub struct Question {
    pub kind: &'static str,
    pub language: &'static str,
    pub text: String,
    /// What must be found to answer it. Nothing: nobody said it.
    answers: Vec<String>,
    /// Whoever finds this before any of them answers wrongly.
    misleads: Option<String>,
}

#[derive(Default)]
pub struct Planted {
    pub facts: Vec<Fact>,
    pub questions: Vec<Question>,
}

/// Six questions in each round.
pub fn plant(rounds: usize) -> Planted {
    let mut planted = Planted::default();
    let mut said = HashSet::new();
    for round in 0..rounds {
        for kind in KINDS {
            planted.tell(round, kind, &mut said);
        }
    }
    planted
}

impl Planted {
    fn tell(&mut self, round: usize, kind: &'static str, said: &mut HashSet<String>) {
        let language = LANGUAGES[round % LANGUAGES.len()];
        let mut question =
            Question { kind, language, text: String::new(), answers: Vec::new(), misleads: None };
        for line in LINES.lines() {
            let fields: Vec<&str> = line.split('\t').collect();
            let [of_language, of_kind, role, days_ago, sentence] = fields.as_slice() else {
                panic!("five fields: {line}")
            };
            if (*of_language, *of_kind) != (language, kind) {
                continue;
            }
            let text = filled(sentence, round);
            match *role {
                "question" => {
                    question.text = text;
                    continue;
                }
                "answer" => question.answers.push(text.clone()),
                "misleads" => question.misleads = Some(text.clone()),
                _ => {}
            }
            if said.insert(text.clone()) {
                self.facts.push(Fact { text, days_ago: days_ago.parse().expect("a number of days") });
            }
        }
        self.questions.push(question);
    }
}

/// The sentence with the names of this round.
fn filled(sentence: &str, round: usize) -> String {
    let things = &THINGS[round % LANGUAGES.len()];
    let person = round / things.len();
    sentence
        .replace("{name}", NAMES[person % NAMES.len()])
        .replace("{other}", NAMES[(person + 1 + round % 5) % NAMES.len()])
        .replace("{thing}", things[round / LANGUAGES.len() % things.len()])
        .replace("{city}", CITIES[round / 3 % CITIES.len()])
        .replace("{number}", &(10 + round % 10).to_string())
}

/// How well questions are answered by a reader who believes what is found first.
#[derive(Default)]
pub struct Score {
    asked: f64,
    answerable: f64,
    found: [f64; DEPTHS.len()],
    misled: f64,
}

impl Score {
    pub fn add(&mut self, question: &Question, found: &[String]) {
        let place = |text: &String| found.iter().position(|one| one == text);
        self.asked += 1.0;
        let first = question.answers.iter().filter_map(place).min();
        let misleading = question.misleads.as_ref().and_then(place);
        // What nobody said is told of somebody else where that comes first of all.
        let before = first.unwrap_or(if question.answers.is_empty() { 1 } else { usize::MAX });
        if misleading.is_some_and(|place| place < before) {
            self.misled += 1.0;
        }
        if question.answers.is_empty() {
            return;
        }
        self.answerable += 1.0;
        let part = 1.0 / f64::from(u32::try_from(question.answers.len()).expect("a few"));
        for (depth, score) in DEPTHS.iter().zip(&mut self.found) {
            *score += question
                .answers
                .iter()
                .filter_map(place)
                .filter(|place| place < depth)
                .map(|_| part)
                .sum::<f64>();
        }
    }

    /// How much of what answers the questions is among the first so many, from 0 to 1.
    pub fn recall(&self) -> [f64; DEPTHS.len()] {
        self.found.map(|found| found / self.answerable.max(1.0))
    }

    /// How many of the questions are answered wrongly, from 0 to 1.
    pub fn misled(&self) -> f64 {
        self.misled / self.asked.max(1.0)
    }
}
