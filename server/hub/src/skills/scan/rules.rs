//! What prose and commands are looked at for, as patterns over a [`Flat`] text. They are for English and for shells,
//! and wide: what they find is shown, and decides nothing.

use super::Scan;
use super::flat::Flat;
use protocol::view::SkillRule;
use regex::{Regex, RegexBuilder};
use std::sync::LazyLock;

/// Within a sentence; and the same where names of files and hosts have their points.
const WITHIN: &str = "[^.!?]";
const WITH_NAMES: &str = "(?:[^.!?]|[.!?][^ ])";

const PATTERNS: &[(SkillRule, &[&str])] = &[
    (
        SkillRule::DownloadToShell,
        &[
            r#"\b(curl|wget|fetch|iwr|irm|invoke-webrequest|invoke-restmethod)\b[^|;&]{0,300}\|\s*(sudo\s+)?(env\s+\S+\s+)?(/\S*/)?((ba|z|da|k|fi)?sh|python[0-9.]*|node|perl|ruby|iex|pwsh|powershell)\b"#,
            r#"\b((ba|z|da)?sh|source|eval|python[0-9.]*)\s+(-[a-z]+\s+)?["']?(<\(|\$\(|`)\s*(curl|wget)\b"#,
            r#"\b(iex|invoke-expression)\b.{0,80}\b(iwr|irm|downloadstring|webclient|invoke-webrequest|invoke-restmethod)\b"#,
            r#"\.downloadstring\(|\bmshta\s+https?:|\bregsvr32\b.{0,40}https?:"#,
            r#"\b(curl|wget)\b.{0,200}(&&|;)\s*(sudo\s+)?(chmod\s+\+?[0-7x]+|(ba|z|da)?sh|\./\S+)"#,
        ],
    ),
    (
        SkillRule::PasteIntoTerminal,
        &[
            r"\b(copy|paste|run|execute|enter|type)\b[^.!?]{0,80}\b(into|in|from|at)\b[^.!?]{0,30}\b(terminal|console|powershell|command prompt|command line|run dialog)\b",
            r"\b(download|install)\b[^.!?]{0,80}\b(installer|driver|agent helper|companion app)\b",
            r"\bprerequisites?\b.{0,200}\b(download|must (first )?(be )?install|before (using|you can use) this skill)",
        ],
    ),
    (
        SkillRule::EncodedCommand,
        &[
            r"\bbase64\s+(-d|--decode)\b",
            r"\b(powershell|pwsh)(\.exe)?\b.{0,80}\s-e(nc|ncodedcommand)?\s+\S{16,}",
            r"\bfrombase64string\b",
            r"\b(eval|exec|system|popen|function)\s*\(\s*(atob|base64|b64decode|bytes\.fromhex|unescape|codecs\.decode|zlib)",
            r"\bxxd\s+-r\b",
            r"(\\x[0-9a-f]{2}){6,}",
            r"\b(fromcharcode|chr)\s*\((\s*[0-9]+\s*[,)]\s*){6,}",
        ],
    ),
    (
        SkillRule::PasswordArchive,
        &[
            r"\b(zip|rar|7z|7-zip|archive|unzip|unrar)\b[^.!?]{0,80}\b(password|passphrase|passcode)\b",
            r"\b(password|passphrase|passcode)\b[^.!?]{0,60}\b(zip|rar|7z|archive)\b",
            r"\bunzip\s+(-\S+\s+)*-p\s*\S+|\b7z\s+x\b.{0,60}\s-p\S+",
        ],
    ),
    (
        SkillRule::RemoteProgram,
        &[
            r#"https?://\S+\.(sh|ps1|bat|cmd|exe|dmg|pkg|msi|scr|jar|apk|appimage)\b"#,
            r"\b(pip3?|uv|npm|pnpm|yarn|bun|cargo|go|gem)\s+(install|add|run|get|i)\b.{0,40}(git\+|https?:)",
            r"\b(npx|bunx|uvx|pipx run)\s+(-y|--yes)\b",
            r#"<script[^>]+src\s*=\s*["']?https?:"#,
            r#"\b(import|require)\b[^;]{0,80}["'(]https?:"#,
            r"\bgit\s+clone\s+\S+.{0,80}(&&|;|then)\s*(cd|run|bash|sh|python|make|npm)\b",
        ],
    ),
    (
        SkillRule::RemoteInstructions,
        &[
            r"\b(fetch|read|load|open|visit|get|download|check)\b[^.!?]{0,80}\b(instructions?|prompts?|rules|steps|guidance|commands?|tasks?)\b[^.!?]{0,60}https?://",
            r"\b(follow|obey|execute|do)\b[^.!?]{0,60}\b(at|on|from|in)\b[^.!?]{0,20}https?://",
            r"https?://\S+[^!?]{0,80}\b(follow|obey|do)\b[^.!?]{0,30}\b(instructions?|it says|is written|what it)\b",
        ],
    ),
    (
        SkillRule::AsksForSecrets,
        &[
            r"(~|\$home|%userprofile%|/home/\S+|/root)/?\.(ssh|aws|gnupg|kube|netrc|npmrc|docker|config/gcloud|bash_history)\b",
            r#"(^|[\s"'`/(])\.env(\.\w+)?\b"#,
            r"\b(id_rsa|id_ed25519|wallet\.dat|seed phrases?|mnemonics?|private keys?|/etc/(passwd|shadow)|cookies\.sqlite|login data|keychain)\b",
            r"\b(read|collect|gather|find|give|send|include|print|reveal|list|ask|look up|extract|copy|get)\b[^.!?]{0,80}\b(api[ _-]?keys?|access tokens?|auth(entication)? tokens?|session tokens?|credentials?|passwords?|secrets|environment variables?|env vars)\b",
            r"\b(aws_secret_access_key|openai_api_key|anthropic_api_key|github_token)\b",
        ],
    ),
    (
        SkillRule::SendsOut,
        &[
            r"\b(send|post|upload|forward|transmit|exfiltrate|report|submit|append|add|include|put|copy)\b[^.!?]{0,120}\b(to|at|in)\b[^.!?]{0,40}https?://",
            r"\b(curl|wget)\b[^|]{0,200}\s(-d|--data\S*|-f|-t|--upload-file|--post-file\S*|-x\s*post)\b",
            r"\b(webhook\.site|requestbin|pipedream\.net|ngrok(-free)?\.(io|app|dev)|discord(app)?\.com/api/webhooks|api\.telegram\.org|pastebin\.com|transfer\.sh|interact\.sh|oast\.\w+|burpcollaborator)",
            r"!\[[^\]]*\]\(https?://[^)]*[{$<][^)]*\)",
            r"https?://\S*[?&]\w+=(\{|\$|<|%7b)",
        ],
    ),
    (
        SkillRule::Overrides,
        &[
            r"\b(ignore|disregard|forget|override|bypass)\b[^.!?]{0,40}\b(previous|prior|above|earlier|all|any|other|your|system|safety)\b[^.!?]{0,40}\b(instructions?|rules?|prompts?|guidelines?|polic(y|ies)|restrictions?|checks?)\b",
            r"\b(do not|don't|never|without)\b[^.!?]{0,30}\b(tell|telling|mention|mentioning|inform|informing|ask|asking|notify|notifying|show|showing|alert|alerting|reveal|revealing)\b[^.!?]{0,40}\b(user|person|human|owner|operator)\b",
            r"\b(user|person|owner|operator)\s+(has|have)?\s*(already\s+)?(approved|consented|authori[sz]ed|agreed)\b",
            r"\byou are now\b|\bdeveloper mode\b|\bsystem override\b|<\|im_(start|end)\|>|\[/?inst\]|</?words-of-strangers",
        ],
    ),
    (
        SkillRule::ChangesMemory,
        &[
            r"\b(write|save|store|append|add|put|change|edit|modify|update|overwrite|insert|remember)\b[^.!?]{0,60}\b(memory|memories|your (own )?instructions|system prompt|claude\.md|agents\.md|soul\.md|memory\.md|update_self|other skills?)\b",
        ],
    ),
    (SkillRule::RunsAtLoad, &[r"(^|\s)!`[^`]{1,300}`"]),
    (SkillRule::HtmlComment, &[r"<!--.{0,300}"]),
    (
        SkillRule::HiddenStyle,
        &[
            r#"\b(display\s*:\s*none|visibility\s*:\s*hidden|font-size\s*:\s*0|opacity\s*:\s*0([^.\d]|$)|color\s*:\s*(white|#fff(fff)?\b|transparent))"#,
            r"<(div|span|p|details|section)\b[^>]*\shidden\b",
        ],
    ),
];

static RULES: LazyLock<Vec<(SkillRule, Vec<Regex>)>> = LazyLock::new(|| {
    let compiled = |(rule, patterns): &(SkillRule, &[&str])| {
        let within = patterns.iter().map(|pattern| regex(&pattern.replace(WITHIN, WITH_NAMES)));
        (*rule, within.collect())
    };
    PATTERNS.iter().map(compiled).collect()
});

/// Pieces of a text that are put together again.
static JOINTS: LazyLock<Regex> = LazyLock::new(|| regex(r#"["']\s*[+.]\s*["']|["']{2}|\\ ?"#));

pub(super) fn regex(pattern: &str) -> Regex {
    let built = RegexBuilder::new(pattern).case_insensitive(true).size_limit(4 << 20).build();
    built.expect("the pattern is written here")
}

pub(super) fn look(path: &str, flat: &Flat, scan: &mut Scan) {
    for (at, word) in &flat.mixed {
        scan.find(SkillRule::Lookalike, path, flat.line(*at), word);
    }
    for (rule, patterns) in RULES.iter() {
        // A comment in a program hides nothing there.
        if *rule == SkillRule::HtmlComment && !path.ends_with(".md") {
            continue;
        }
        let mut places: Vec<(usize, usize)> = Vec::new();
        for found in patterns.iter().flat_map(|pattern| pattern.find_iter(&flat.text)) {
            if places.iter().all(|(start, end)| found.end() <= *start || found.start() >= *end) {
                places.push((found.start(), found.end()));
            }
        }
        places.sort_unstable();
        for (start, end) in places {
            scan.find(*rule, path, flat.line(start), &flat.text[start..end]);
        }
    }
    look_at_pieces(path, flat, scan);
}

/// Which of the rules about commands a text breaks.
pub(super) fn of_commands(text: &str) -> Option<SkillRule> {
    let about = |rule: SkillRule| match rule {
        SkillRule::DownloadToShell
        | SkillRule::EncodedCommand
        | SkillRule::PasswordArchive
        | SkillRule::RemoteProgram
        | SkillRule::RemoteInstructions
        | SkillRule::AsksForSecrets
        | SkillRule::SendsOut
        | SkillRule::Overrides => true,
        SkillRule::PasteIntoTerminal
        | SkillRule::TagCharacters
        | SkillRule::TurnedText
        | SkillRule::InvisibleCharacters
        | SkillRule::HtmlComment
        | SkillRule::HiddenStyle
        | SkillRule::ChangesMemory
        | SkillRule::RunsAtLoad
        | SkillRule::WantsMore
        | SkillRule::LongEncoded
        | SkillRule::SplitCommand
        | SkillRule::Lookalike
        | SkillRule::LookalikeHost
        | SkillRule::NameTaken
        | SkillRule::OddName
        | SkillRule::OddHead
        | SkillRule::UnknownTool
        | SkillRule::Script
        | SkillRule::NoText => false,
    };
    let broken = RULES.iter().filter(|(rule, _)| about(*rule));
    broken
        .filter(|(_, patterns)| patterns.iter().any(|pattern| pattern.is_match(text)))
        .map(|(rule, _)| *rule)
        .next()
}

/// A command of which no rule is broken as it stands, and one is when its pieces are put together.
fn look_at_pieces(path: &str, flat: &Flat, scan: &mut Scan) {
    for (start, line) in flat.lines().filter(|(_, line)| JOINTS.is_match(line)) {
        let joined = JOINTS.replace_all(line, "");
        if of_commands(line).is_none() && of_commands(&joined).is_some() {
            scan.find(SkillRule::SplitCommand, path, flat.line(start), line);
        }
    }
}
