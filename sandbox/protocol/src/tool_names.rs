//! What our tools are called elsewhere, or by habit: models know them by those names as well, and a log has the name that
//! the model used. What their arguments are called there is in `agent::tools`.

/// A tool's own name; the action of it that is meant, where the names say one; and the names.
pub type OtherNames = (&'static str, Option<&'static str>, &'static [&'static str]);

/// A word of a call, the tool that it means, and the action of that tool where the word is not it.
pub type ByWord = (&'static str, &'static str, Option<&'static str>);

/// Every other name, once.
pub const OTHER_NAMES: &[OtherNames] = &[
    (
        "read",
        None,
        &[
            "Read",
            "fs_read",
            "read_file",
            "read_text_file",
            "view",
            "view_file",
            "open_file",
            "get_file_contents",
            "read_document",
            "open_document",
            "view_document",
            "read_pdf",
            "read_docx",
            "read_pptx",
            "read_xlsx",
            "read_excel",
            "read_spreadsheet",
            "read_many_files",
        ],
    ),
    ("write", None, &["Write", "fs_write", "write_file", "create_file", "write_to_file"]),
    (
        "edit",
        None,
        &[
            "Edit",
            "edit_file",
            "str_replace",
            "search_replace",
            "replace",
            "replace_in_file",
            "multi_edit",
            "MultiEdit",
            "apply_patch",
            "str_replace_based_edit_tool",
            "str_replace_editor",
        ],
    ),
    ("files", Some("restore"), &["undo_edit"]),
    ("grep", None, &["Grep", "ripgrep", "fs_search", "grep_search", "search_file_content"]),
    ("glob", None, &["Glob", "find_files", "file_search", "search_files"]),
    ("files", None, &["filesystem"]),
    (
        "files",
        Some("list"),
        &[
            "fs_roots",
            "fs_tree",
            "fs_walk",
            "LS",
            "list_dir",
            "list_directory",
            "list_files",
            "directory_tree",
        ],
    ),
    ("files", Some("stat"), &["fs_stat", "get_file_info"]),
    ("files", Some("exists"), &["fs_exists", "file_exists"]),
    ("files", Some("mkdir"), &["fs_mkdir", "create_directory", "create_folder"]),
    ("files", Some("copy"), &["fs_copy", "copy_file"]),
    ("files", Some("move"), &["fs_move", "move_file", "rename_file"]),
    ("files", Some("delete"), &["fs_delete", "delete_file", "remove_file"]),
    (
        "document",
        None,
        &[
            "create_document",
            "make_document",
            "write_document",
            "generate_document",
            "create_docx",
            "write_docx",
            "create_word_document",
            "create_pptx",
            "write_pptx",
            "create_presentation",
            "create_pdf",
            "write_pdf",
            "generate_pdf",
            "create_xlsx",
            "write_xlsx",
            "create_spreadsheet",
            "create_excel",
            "create_workbook",
        ],
    ),
    ("chart", None, &["create_chart", "make_chart", "draw_chart", "generate_chart"]),
    ("convert", None, &["convert_file", "convert_document", "parse_csv", "parse_json"]),
    ("diagnostics", None, &["get_diagnostics"]),
    ("symbols", None, &["lsp", "LSP"]),
    ("symbols", Some("outline"), &["document_symbols", "get_symbols_overview", "list_code_definition_names"]),
    (
        "symbols",
        Some("definitions"),
        &["workspace_symbols", "find_symbol", "find_definition", "go_to_definition"],
    ),
    ("symbols", Some("references"), &["find_references", "find_referencing_symbols"]),
    (
        "terminal",
        None,
        &[
            "bash",
            "Bash",
            "shell",
            "local_shell",
            "shell_command",
            "exec_command",
            "run_command",
            "run_shell_command",
            "run_terminal_cmd",
            "execute_command",
        ],
    ),
    ("terminal", Some("output"), &["terminal_output", "bash_output", "BashOutput", "TaskOutput"]),
    ("terminal", Some("input"), &["terminal_input", "write_stdin"]),
    ("terminal", Some("stop"), &["terminal_stop", "kill_shell", "KillShell", "TaskStop"]),
    ("terminal", Some("list"), &["terminal_list"]),
    ("runjs", None, &["javascript_eval"]),
    (
        "fetch",
        None,
        &["fetch_url", "http_fetch", "web_fetch", "WebFetch", "read_page", "extract_links", "page_metadata"],
    ),
    ("web_search", None, &["WebSearch"]),
    ("weather", None, &["get_weather"]),
    ("exchange_rates", None, &["exchange_rate", "get_exchange_rates", "convert_currency"]),
    ("location", None, &["get_location"]),
    ("clipboard", Some("read"), &["clipboard_read"]),
    ("clipboard", Some("write"), &["clipboard_write"]),
    ("datetime", None, &["get_datetime"]),
    ("schedule", None, &["scheduler"]),
    ("memory", Some("write"), &["memory_write"]),
    ("memory", Some("search"), &["memory_search"]),
    ("memory", Some("list"), &["memory_list"]),
    ("memory", Some("forget"), &["memory_forget"]),
    ("todo", Some("add"), &["todo_add"]),
    ("todo", Some("complete"), &["todo_complete"]),
    ("todo", Some("list"), &["todo_list"]),
    ("todo", Some("replace"), &["TodoWrite"]),
    ("storage", Some("get"), &["storage_get"]),
    ("storage", Some("set"), &["storage_set"]),
    ("agent_spawn", None, &["subagent", "use_agent"]),
    ("agent_ask", None, &["invoke_agent", "invoke_remote_agent", "broadcast_to_agents"]),
    ("agent_send", None, &["worker_message"]),
    ("agent_list", None, &["list_agents"]),
    ("ask_user", None, &["ask_question"]),
];

/// What one tool that edits means by its `command`.
pub const EDITOR: &[ByWord] = &[
    ("view", "read", None),
    ("create", "write", None),
    ("str_replace", "edit", None),
    ("insert", "edit", None),
    ("undo_edit", "files", Some("restore")),
];

/// What one tool for files means by its `action`, where that is not an action of `files`.
pub const FILESYSTEM: &[ByWord] = &[
    ("read", "read", None),
    ("read_file", "read", None),
    ("write", "write", None),
    ("write_file", "write", None),
    ("create", "write", None),
    ("edit", "edit", None),
    ("search", "grep", None),
    ("grep", "grep", None),
    ("glob", "glob", None),
    ("find", "glob", None),
    ("ls", "files", Some("list")),
    ("tree", "files", Some("list")),
    ("walk", "files", Some("list")),
    ("roots", "files", Some("list")),
    ("list_directory", "files", Some("list")),
    ("rename", "files", Some("move")),
    ("remove", "files", Some("delete")),
    ("info", "files", Some("stat")),
    ("create_directory", "files", Some("mkdir")),
    ("make_directory", "files", Some("mkdir")),
];

/// The tool that a name means, and its action where the name says one. A name that is no other name is its own.
pub fn named(name: &str) -> (&str, Option<&'static str>) {
    let other = OTHER_NAMES.iter().find(|(.., names)| names.contains(&name));
    other.map_or((name, None), |&(tool, action, _)| (tool, action))
}

/// What a word of a call means by one of these tables.
pub fn by_word(table: &[ByWord], word: &str) -> Option<(&'static str, Option<&'static str>)> {
    table.iter().find(|(it, ..)| *it == word).map(|&(_, tool, action)| (tool, action))
}
