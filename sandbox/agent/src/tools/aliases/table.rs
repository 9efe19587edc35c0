//! The one table of habits: each name, the tool that it means, and what its arguments are called.

use super::Habit;
use super::turns::{
    apply_patch, broadcast, by_command, chart, checklist, command, edit, filesystem, grep, interaction,
    invoked, labelled, language_server, one_of_many, one_off, page, parts, search_and_replace,
};

type Renames = &'static [(&'static str, &'static str)];

const NONE: Renames = &[];
/// What the path of a file is called.
const PATH: Renames = &[("file_path", "path"), ("filePath", "path"), ("filename", "path"), ("file", "path")];
const FOLDER: Renames = &[
    ("directory", "path"),
    ("dir", "path"),
    ("folder", "path"),
    ("dir_path", "path"),
    ("root", "path"),
    ("relative_workspace_path", "path"),
];
const CONTENT: Renames = &[
    ("file_path", "path"),
    ("filePath", "path"),
    ("filename", "path"),
    ("file", "path"),
    ("file_text", "content"),
    ("contents", "content"),
    ("text", "content"),
];
/// Of reading by lines, or by pages and cells.
const LINES: Renames = &[
    ("file_path", "path"),
    ("filePath", "path"),
    ("target_file", "path"),
    ("filename", "path"),
    ("file", "path"),
    ("start_line", "offset"),
    ("head", "limit"),
    ("max_lines", "limit"),
    ("page", "pages"),
    ("page_range", "pages"),
    ("sheet_name", "sheet"),
    ("cell_range", "range"),
];
/// Of an edit, and of each of several.
pub(super) const EDIT: Renames = &[
    ("file_path", "path"),
    ("filePath", "path"),
    ("filename", "path"),
    ("file", "path"),
    ("old_str", "old_string"),
    ("oldString", "old_string"),
    ("oldText", "old_string"),
    ("old_text", "old_string"),
    ("new_str", "new_string"),
    ("newString", "new_string"),
    ("newText", "new_string"),
    ("new_text", "new_string"),
    ("replaceAll", "replace_all"),
    ("allow_multiple", "replace_all"),
    ("insert_text", "new_string"),
];
const TARGET: Renames = &[
    ("source", "path"),
    ("from", "path"),
    ("old_path", "path"),
    ("src", "path"),
    ("destination", "to"),
    ("new_path", "to"),
    ("target", "to"),
    ("dest", "to"),
    ("dst", "to"),
];
const SEARCH: Renames = &[
    ("regex", "pattern"),
    ("query", "pattern"),
    ("directory", "path"),
    ("dir", "path"),
    ("file_path", "path"),
    ("include", "glob"),
    ("include_pattern", "glob"),
    ("file_pattern", "glob"),
    ("-i", "ignore_case"),
    ("case_insensitive", "ignore_case"),
    ("-A", "after"),
    ("-B", "before"),
    ("-C", "context"),
    ("context_lines", "context"),
    ("head_limit", "limit"),
    ("max_results", "limit"),
];
const NAMES: Renames = &[
    ("glob_pattern", "pattern"),
    ("glob", "pattern"),
    ("query", "pattern"),
    ("directory", "path"),
    ("target_directory", "path"),
    ("dir", "path"),
];
const SYMBOL: Renames = &[
    ("symbol", "name"),
    ("symbol_name", "name"),
    ("query", "name"),
    ("name_path", "name"),
    ("file_path", "path"),
    ("filePath", "path"),
    ("relative_path", "path"),
    ("directory", "path"),
];
const LSP: Renames = &[("operation", "action"), ("method", "action")];
const COMMAND: Renames = &[
    ("cmd", "command"),
    ("script", "command"),
    ("workdir", "path"),
    ("cwd", "path"),
    ("working_directory", "path"),
    ("directory", "path"),
    ("dir_path", "path"),
    ("run_in_background", "background"),
    ("is_background", "background"),
];
const JOB: Renames = &[
    ("bash_id", "job"),
    ("shell_id", "job"),
    ("task_id", "job"),
    ("session_id", "job"),
    ("chars", "text"),
    ("input", "text"),
];
const URL: Renames = &[("uri", "url"), ("link", "url"), ("start_index", "from")];
/// Of what becomes a document.
const DOCUMENT: Renames = &[
    ("file_path", "path"),
    ("filePath", "path"),
    ("filename", "path"),
    ("file", "path"),
    ("output", "path"),
    ("output_path", "path"),
    ("markdown", "content"),
    ("text", "content"),
    ("body", "content"),
];
const CHART: Renames = &[
    ("type", "kind"),
    ("chart_type", "kind"),
    ("output", "to"),
    ("output_path", "to"),
    ("file_path", "path"),
];
const CONVERT: Renames = &[
    ("input", "path"),
    ("file_path", "path"),
    ("output", "to"),
    ("output_path", "to"),
    ("source_format", "from"),
    ("target_format", "format"),
    ("output_format", "format"),
];
const CODE: Renames = &[("javascript", "code"), ("script", "code"), ("expression", "code")];
const AGENT: Renames = &[
    ("prompt", "task"),
    ("message", "task"),
    ("description", "label"),
    ("system_prompt", "instructions"),
    ("systemPrompt", "instructions"),
    ("model_id", "model"),
    ("modelId", "model"),
];
const ELSEWHERE: Renames = &[
    ("message", "text"),
    ("prompt", "text"),
    ("instance", "hub"),
    ("instance_id", "hub"),
    ("instanceId", "hub"),
];
const SAID: Renames = &[("message", "text"), ("prompt", "text"), ("worker_id", "id")];
const TO_LIST: Renames = &[("action", "list")];
const TO_OUTLINE: Renames = &[("action", "outline")];
const TO_DEFINITIONS: Renames = &[("action", "definitions")];
const TO_REFERENCES: Renames = &[("action", "references")];
const TO_FOLDER: Renames = &[("action", "mkdir")];
const TO_OUTPUT: Renames = &[("action", "output")];
const TO_DOCX: Renames = &[("format", "docx")];
const TO_PPTX: Renames = &[("format", "pptx")];
const TO_PDF: Renames = &[("format", "pdf")];
const TO_XLSX: Renames = &[("format", "xlsx")];

/// A name that has its arguments from nobody else.
const fn named(name: &'static str, tool: &'static str) -> Habit {
    with(name, tool, NONE)
}

const fn with(name: &'static str, tool: &'static str, renames: Renames) -> Habit {
    Habit { name, tool, renames, sets: &[], turn: None }
}

const fn does(name: &'static str, tool: &'static str, sets: Renames, renames: Renames) -> Habit {
    Habit { name, tool, renames, sets, turn: None }
}

const fn turned(name: &'static str, tool: &'static str, renames: Renames, turn: super::Turn) -> Habit {
    Habit { name, tool, renames, sets: &[], turn: Some(turn) }
}

pub(super) const HABITS: &[Habit] = &[
    // Files, read.
    turned("read", "read", LINES, parts),
    named("Read", "read"),
    named("fs_read", "read"),
    named("read_file", "read"),
    named("read_text_file", "read"),
    named("view", "read"),
    named("view_file", "read"),
    named("open_file", "read"),
    named("get_file_contents", "read"),
    named("read_document", "read"),
    named("open_document", "read"),
    named("view_document", "read"),
    named("read_pdf", "read"),
    named("read_docx", "read"),
    named("read_pptx", "read"),
    named("read_xlsx", "read"),
    named("read_excel", "read"),
    named("read_spreadsheet", "read"),
    turned("read_many_files", "read", NONE, one_of_many),
    // Files, written.
    with("write", "write", CONTENT),
    named("Write", "write"),
    named("fs_write", "write"),
    named("write_file", "write"),
    named("create_file", "write"),
    named("write_to_file", "write"),
    // Files, changed.
    turned("edit", "edit", EDIT, edit),
    named("Edit", "edit"),
    named("edit_file", "edit"),
    named("str_replace", "edit"),
    named("search_replace", "edit"),
    named("replace", "edit"),
    turned("replace_in_file", "edit", NONE, search_and_replace),
    named("multi_edit", "edit"),
    named("MultiEdit", "edit"),
    turned("apply_patch", "edit", NONE, apply_patch),
    turned("str_replace_based_edit_tool", "edit", NONE, by_command),
    turned("str_replace_editor", "edit", NONE, by_command),
    does("undo_edit", "files", &[("action", "restore")], PATH),
    // Files, found.
    turned("grep", "grep", SEARCH, grep),
    named("Grep", "grep"),
    named("ripgrep", "grep"),
    named("fs_search", "grep"),
    named("grep_search", "grep"),
    named("search_file_content", "grep"),
    with("glob", "glob", NAMES),
    named("Glob", "glob"),
    named("find_files", "glob"),
    named("file_search", "glob"),
    named("search_files", "glob"),
    // Files as a whole.
    with("files", "files", TARGET),
    turned("filesystem", "files", &[("operation", "action"), ("command", "action")], filesystem),
    does("fs_roots", "files", TO_LIST, NONE),
    does("fs_tree", "files", TO_LIST, FOLDER),
    does("fs_walk", "files", TO_LIST, FOLDER),
    does("LS", "files", TO_LIST, FOLDER),
    does("list_dir", "files", TO_LIST, FOLDER),
    does("list_directory", "files", TO_LIST, FOLDER),
    does("list_files", "files", TO_LIST, FOLDER),
    does("directory_tree", "files", TO_LIST, FOLDER),
    does("fs_stat", "files", &[("action", "stat")], PATH),
    does("get_file_info", "files", &[("action", "stat")], PATH),
    does("fs_exists", "files", &[("action", "exists")], PATH),
    does("file_exists", "files", &[("action", "exists")], PATH),
    does("fs_mkdir", "files", TO_FOLDER, FOLDER),
    does("create_directory", "files", TO_FOLDER, FOLDER),
    does("create_folder", "files", TO_FOLDER, FOLDER),
    does("fs_copy", "files", &[("action", "copy")], TARGET),
    does("copy_file", "files", &[("action", "copy")], TARGET),
    does("fs_move", "files", &[("action", "move")], TARGET),
    does("move_file", "files", &[("action", "move")], TARGET),
    does("rename_file", "files", &[("action", "move")], TARGET),
    does("fs_delete", "files", &[("action", "delete")], PATH),
    does("delete_file", "files", &[("action", "delete")], PATH),
    does("remove_file", "files", &[("action", "delete")], PATH),
    // Made of data.
    with("document", "document", DOCUMENT),
    named("create_document", "document"),
    named("make_document", "document"),
    named("write_document", "document"),
    named("generate_document", "document"),
    does("create_docx", "document", TO_DOCX, NONE),
    does("write_docx", "document", TO_DOCX, NONE),
    does("create_word_document", "document", TO_DOCX, NONE),
    does("create_pptx", "document", TO_PPTX, NONE),
    does("write_pptx", "document", TO_PPTX, NONE),
    does("create_presentation", "document", TO_PPTX, NONE),
    does("create_pdf", "document", TO_PDF, NONE),
    does("write_pdf", "document", TO_PDF, NONE),
    does("generate_pdf", "document", TO_PDF, NONE),
    does("create_xlsx", "document", TO_XLSX, NONE),
    does("write_xlsx", "document", TO_XLSX, NONE),
    does("create_spreadsheet", "document", TO_XLSX, NONE),
    does("create_excel", "document", TO_XLSX, NONE),
    does("create_workbook", "document", TO_XLSX, NONE),
    turned("chart", "chart", CHART, chart),
    named("create_chart", "chart"),
    named("make_chart", "chart"),
    named("draw_chart", "chart"),
    named("generate_chart", "chart"),
    with("convert", "convert", CONVERT),
    named("convert_file", "convert"),
    named("convert_document", "convert"),
    does(
        "parse_csv",
        "convert",
        &[("from", "csv")],
        &[("csv", "text"), ("content", "text"), ("file_path", "path")],
    ),
    does(
        "parse_json",
        "convert",
        &[("from", "json")],
        &[("json", "text"), ("content", "text"), ("file_path", "path")],
    ),
    with("get_diagnostics", "diagnostics", PATH),
    // Names in code.
    with("symbols", "symbols", SYMBOL),
    turned("lsp", "symbols", LSP, language_server),
    turned("LSP", "symbols", LSP, language_server),
    does("document_symbols", "symbols", TO_OUTLINE, SYMBOL),
    does("get_symbols_overview", "symbols", TO_OUTLINE, SYMBOL),
    does("list_code_definition_names", "symbols", TO_OUTLINE, SYMBOL),
    does("workspace_symbols", "symbols", TO_DEFINITIONS, SYMBOL),
    does("find_symbol", "symbols", TO_DEFINITIONS, SYMBOL),
    does("find_definition", "symbols", TO_DEFINITIONS, SYMBOL),
    does("go_to_definition", "symbols", TO_DEFINITIONS, SYMBOL),
    does("find_references", "symbols", TO_REFERENCES, SYMBOL),
    does("find_referencing_symbols", "symbols", TO_REFERENCES, SYMBOL),
    // Commands.
    turned("terminal", "terminal", COMMAND, command),
    named("bash", "terminal"),
    named("Bash", "terminal"),
    named("shell", "terminal"),
    named("local_shell", "terminal"),
    named("shell_command", "terminal"),
    named("exec_command", "terminal"),
    named("run_command", "terminal"),
    named("run_shell_command", "terminal"),
    named("run_terminal_cmd", "terminal"),
    named("execute_command", "terminal"),
    Habit {
        name: "terminal_output",
        tool: "terminal",
        renames: JOB,
        sets: TO_OUTPUT,
        turn: Some(interaction),
    },
    Habit { name: "bash_output", tool: "terminal", renames: JOB, sets: TO_OUTPUT, turn: Some(interaction) },
    Habit { name: "BashOutput", tool: "terminal", renames: JOB, sets: TO_OUTPUT, turn: Some(interaction) },
    Habit { name: "TaskOutput", tool: "terminal", renames: JOB, sets: TO_OUTPUT, turn: Some(interaction) },
    Habit {
        name: "terminal_input",
        tool: "terminal",
        renames: JOB,
        sets: &[("action", "input")],
        turn: Some(interaction),
    },
    Habit {
        name: "write_stdin",
        tool: "terminal",
        renames: JOB,
        sets: &[("action", "input")],
        turn: Some(interaction),
    },
    Habit {
        name: "terminal_stop",
        tool: "terminal",
        renames: JOB,
        sets: &[("action", "stop")],
        turn: Some(interaction),
    },
    Habit {
        name: "kill_shell",
        tool: "terminal",
        renames: JOB,
        sets: &[("action", "stop")],
        turn: Some(interaction),
    },
    Habit {
        name: "KillShell",
        tool: "terminal",
        renames: JOB,
        sets: &[("action", "stop")],
        turn: Some(interaction),
    },
    Habit {
        name: "TaskStop",
        tool: "terminal",
        renames: JOB,
        sets: &[("action", "stop")],
        turn: Some(interaction),
    },
    does("terminal_list", "terminal", TO_LIST, NONE),
    // The page.
    with("javascript_eval", "runjs", CODE),
    // The web.
    turned("fetch", "fetch", URL, page),
    named("fetch_url", "fetch"),
    named("http_fetch", "fetch"),
    named("web_fetch", "fetch"),
    named("WebFetch", "fetch"),
    named("read_page", "fetch"),
    does("extract_links", "fetch", &[("format", "links")], NONE),
    does("page_metadata", "fetch", &[("format", "metadata")], NONE),
    with("WebSearch", "web_search", &[("q", "query")]),
    with("get_weather", "weather", &[("location", "place"), ("city", "place")]),
    named("exchange_rate", "exchange_rates"),
    named("get_exchange_rates", "exchange_rates"),
    named("convert_currency", "exchange_rates"),
    // The device and the time.
    named("get_location", "location"),
    does("clipboard_read", "clipboard", &[("action", "read")], NONE),
    does("clipboard_write", "clipboard", &[("action", "write")], &[("content", "text")]),
    with("get_datetime", "datetime", &[("time_zone", "timezone"), ("tz", "timezone")]),
    // What is remembered and planned.
    named("scheduler", "schedule"),
    does("memory_write", "memory", &[("action", "write")], &[("content", "text")]),
    does("memory_search", "memory", &[("action", "search")], &[("query", "text")]),
    does("memory_list", "memory", TO_LIST, NONE),
    does("memory_forget", "memory", &[("action", "forget")], NONE),
    does("todo_add", "todo", &[("action", "add")], &[("task", "text"), ("content", "text")]),
    does("todo_complete", "todo", &[("action", "complete")], &[("task_id", "id")]),
    does("todo_list", "todo", TO_LIST, NONE),
    Habit {
        name: "TodoWrite",
        tool: "todo",
        renames: &[("todos", "tasks")],
        sets: &[("action", "replace")],
        turn: Some(checklist),
    },
    does("storage_get", "storage", &[("action", "get")], NONE),
    does("storage_set", "storage", &[("action", "set")], NONE),
    // Agents and people.
    turned("subagent", "agent_spawn", AGENT, labelled),
    turned("use_agent", "agent_spawn", AGENT, one_off),
    turned("invoke_agent", "agent_ask", SAID, invoked),
    turned("invoke_remote_agent", "agent_ask", ELSEWHERE, invoked),
    turned("broadcast_to_agents", "agent_ask", SAID, broadcast),
    with("worker_message", "agent_send", SAID),
    named("list_agents", "agent_list"),
    named("ask_question", "ask_user"),
];
