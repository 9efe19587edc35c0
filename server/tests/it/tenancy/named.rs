//! Which thing the id in a call names.

/// What the id in a request names.
pub enum Named {
    Agent(&'static str),
    Provider(&'static str),
    Device(&'static str),
    Token(&'static str),
    Passkey(&'static str),
    Person(&'static str),
    Archive(&'static str),
    Approval(&'static str),
    Rule(&'static str),
    Schedule(&'static str),
    Delegation(&'static str),
    Pipeline(&'static str),
    AgentRole(&'static str),
    TeamFile(&'static str),
    Conversation(&'static str),
    Share(&'static str),
    AgentShare(&'static str),
    Import(&'static str),
    Group(&'static str),
    SearchSource(&'static str),
    Memory(&'static str),
    Saying(&'static str),
    Skill(&'static str),
    Workspace(&'static str),
    McpServer(&'static str),
    Peer(&'static str),
    JobService(&'static str),
    ExternalJob(&'static str),
    Notification(&'static str),
    Channel(&'static str),
    GivenLink(&'static str),
    Nothing,
}

/// Every server function, with the argument that names a thing of somebody's.
pub fn named(path: &str) -> Named {
    match path {
        "/api/agents/get"
        | "/api/agents/page"
        | "/api/agents/context"
        | "/api/agents/edit"
        | "/api/agents/set_network"
        | "/api/agents/follow_robots"
        | "/api/agents/let_commands_out"
        | "/api/agents/set_key"
        | "/api/agents/forget_key"
        | "/api/agents/secrets"
        | "/api/agents/forget_secret"
        | "/api/agents/duplicate"
        | "/api/agents/delete"
        | "/api/agents/made_tools"
        | "/api/agents/refused_made_tool"
        | "/api/agents/write_made_tool"
        | "/api/agents/accept_made_tool"
        | "/api/agents/delete_made_tool"
        | "/api/agents/skin"
        | "/api/agents/skins"
        | "/api/agents/restore_skin"
        | "/api/agents/state"
        | "/api/agents/state_values"
        | "/api/agents/set_state"
        | "/api/agents/left_behind"
        | "/api/agents/message_count"
        | "/api/agents/permissions"
        | "/api/agents/covers_link"
        | "/api/agents/set_permission"
        | "/api/agents/forget_permission"
        | "/api/agents/state_rules"
        | "/api/agents/remove_state_rule" => Named::Agent("id"),
        "/api/agents/send"
        | "/api/agents/ask"
        | "/api/agents/retry"
        | "/api/agents/repair"
        | "/api/agents/stop"
        | "/api/agents/pause"
        | "/api/agents/pin"
        | "/api/agents/take_over"
        | "/api/agents/move"
        | "/api/agents/entries"
        | "/api/conversations/list"
        | "/api/conversations/create"
        | "/api/instructions/list"
        | "/api/instructions/view"
        | "/api/instructions/restore"
        | "/api/skills/of_agent"
        | "/api/skills/shipped"
        | "/api/skills/choose"
        | "/api/skins/list"
        | "/api/skins/save"
        | "/api/skins/load"
        | "/api/skins/delete"
        | "/api/memories/said"
        | "/api/money/agent_budget"
        | "/api/money/limit_agent"
        | "/api/policy/rules"
        | "/api/policy/add"
        | "/api/delegations/of_agent"
        | "/api/schedules/list"
        | "/api/schedules/create"
        | "/api/terminal/jobs"
        | "/api/terminal/stop"
        | "/api/workspaces/of_agent"
        | "/api/workspaces/give" => Named::Agent("agent"),
        "/api/skills/bring_from_server" => Named::McpServer("server"),
        "/api/files/folder"
        | "/api/files/list"
        | "/api/files/view"
        | "/api/files/deleted"
        | "/api/files/copy_to"
        | "/api/files/share"
        | "/api/files/leaving_bin"
        | "/api/files/rename"
        | "/api/files/delete"
        | "/api/files/restore"
        | "/api/files/undo"
        | "/api/files/part"
        | "/api/files/delete_chosen"
        | "/api/files/move_chosen"
        | "/api/files/make_folder"
        | "/api/files/copy_chosen"
        | "/api/files/undo_change" => Named::Agent("folder"),
        "/api/files/take_back" => Named::GivenLink("id"),
        "/api/files/uploads"
        | "/api/files/view_upload"
        | "/api/files/undo_call"
        | "/api/files/of_call"
        | "/api/audit/call" => Named::Agent("agent"),
        "/api/workspaces/rename" | "/api/workspaces/delete" => Named::Workspace("id"),
        "/api/conversations/get"
        | "/api/conversations/read"
        | "/api/conversations/draft"
        | "/api/conversations/keep_draft"
        | "/api/conversations/rename"
        | "/api/conversations/pin"
        | "/api/conversations/put_into"
        | "/api/conversations/archive"
        | "/api/conversations/delete"
        | "/api/conversations/restore"
        | "/api/conversations/edit"
        | "/api/conversations/regenerate"
        | "/api/conversations/set_model"
        | "/api/conversations/fork"
        | "/api/conversations/ratings"
        | "/api/conversations/rate"
        | "/api/conversations/note"
        | "/api/shares/of"
        | "/api/shares/give" => Named::Conversation("id"),
        "/api/shares/end" | "/api/shares/read" => Named::Share("id"),
        "/api/agent_shares/of" | "/api/agent_shares/give" => Named::Agent("agent"),
        "/api/agent_shares/end" => Named::AgentShare("id"),
        "/api/search/find" | "/api/todo/list" | "/api/todo/add" | "/api/todo/mark" => {
            Named::Conversation("conversation")
        }
        "/api/approvals/answer" | "/api/approvals/reply" => Named::Approval("id"),
        "/api/policy/delete" => Named::Rule("id"),
        "/api/delegations/stop" | "/api/delegations/stop_chain" => Named::Delegation("id"),
        "/api/pipelines/answer"
        | "/api/pipelines/delete"
        | "/api/pipelines/get"
        | "/api/pipelines/limit"
        | "/api/pipelines/retry"
        | "/api/pipelines/start"
        | "/api/pipelines/stop" => Named::Pipeline("id"),
        "/api/teams/another" | "/api/teams/limit" | "/api/teams/delete" => Named::AgentRole("id"),
        "/api/teams/review" | "/api/teams/make" => Named::TeamFile("file"),
        "/api/teams/export" => Named::Agent("agents"),
        "/api/schedules/edit"
        | "/api/schedules/history"
        | "/api/schedules/preview"
        | "/api/schedules/new_secret"
        | "/api/schedules/pause"
        | "/api/schedules/resume"
        | "/api/schedules/run"
        | "/api/schedules/limit"
        | "/api/schedules/delete" => Named::Schedule("id"),
        "/api/archives/review" | "/api/archives/create" | "/api/archives/discard" => Named::Archive("id"),
        "/api/imports/review" | "/api/imports/create" | "/api/imports/discard" => Named::Import("id"),
        "/api/providers/delete"
        | "/api/providers/key_forgotten"
        | "/api/providers/key_kept"
        | "/api/providers/models"
        | "/api/providers/read_models"
        | "/api/providers/save" => Named::Provider("id"),
        "/api/sharing/get" | "/api/sharing/set" | "/api/sharing/stop" => Named::Provider("provider"),
        "/api/groups/delete" | "/api/groups/save" => Named::Group("id"),
        "/api/agents/propose" | "/api/memories/choose_meaning" | "/api/speech/choose" => {
            Named::Provider("provider")
        }
        "/api/web_search/remove" | "/api/web_search/shift" | "/api/web_search/test" => {
            Named::SearchSource("id")
        }
        "/api/memories/edit" | "/api/memories/forget" | "/api/memories/keep" | "/api/memories/settle" => {
            Named::Memory("id")
        }
        "/api/person_context/delete_saying" => Named::Saying("id"),
        "/api/skills/get"
        | "/api/skills/accept"
        | "/api/skills/refuse"
        | "/api/skills/remove"
        | "/api/skills/share"
        | "/api/skills/give"
        | "/api/skills/take"
        | "/api/skills/look_again" => Named::Skill("id"),
        "/api/mcp_servers/read"
        | "/api/mcp_servers/connect"
        | "/api/mcp_servers/disconnect"
        | "/api/mcp_servers/look"
        | "/api/mcp_servers/set_headers"
        | "/api/mcp_servers/set_values"
        | "/api/mcp_servers/switch"
        | "/api/mcp_servers/switch_all"
        | "/api/mcp_servers/prompt"
        | "/api/mcp_servers/complete"
        | "/api/mcp_servers/resources"
        | "/api/mcp_servers/attach"
        | "/api/mcp_servers/mount"
        | "/api/mcp_servers/unmount"
        | "/api/mcp_servers/mounted"
        | "/api/mcp_servers/mounted_file"
        | "/api/mcp_servers/answer_app_hosts"
        | "/api/mcp_servers/take"
        | "/api/mcp_servers/share"
        | "/api/mcp_servers/give"
        | "/api/mcp_servers/remove" => Named::McpServer("id"),
        "/api/peers/read"
        | "/api/peers/look"
        | "/api/peers/set_token"
        | "/api/peers/switch"
        | "/api/peers/switch_agent"
        | "/api/peers/remove" => Named::Peer("id"),
        "/api/job_services/read"
        | "/api/job_services/change"
        | "/api/job_services/set_token"
        | "/api/job_services/look"
        | "/api/job_services/switch"
        | "/api/job_services/remove" => Named::JobService("id"),
        "/api/external_jobs/read" | "/api/external_jobs/log" | "/api/external_jobs/cancel" => {
            Named::ExternalJob("id")
        }
        "/api/console/answers" | "/api/console/say" | "/api/console/stop" | "/api/mcp_servers/add" => {
            Named::Agent("agents")
        }
        "/api/topics/subscribe"
        | "/api/topics/unsubscribe"
        | "/api/mcp_servers/of_agent"
        | "/api/mcp_servers/mounts"
        | "/api/mcp_servers/choose"
        | "/api/mcp_servers/commands"
        | "/api/mcp_servers/apps"
        | "/api/mcp_servers/app"
        | "/api/person_context/let_agent"
        | "/api/notifications/mute" => Named::Agent("agent"),
        "/api/notifications/read" => Named::Notification("id"),
        "/api/notifications/remove_channel"
        | "/api/notifications/confirm_channel"
        | "/api/notifications/try_out" => Named::Channel("id"),
        "/api/account/revoke_device" => Named::Device("id"),
        "/api/account/limit_token" | "/api/account/revoke_token" => Named::Token("id"),
        "/api/passkeys/remove" => Named::Passkey("id"),
        "/api/money/budget" | "/api/money/limit" | "/api/audit/all" | "/api/audit/all_calls" => {
            Named::Person("person")
        }
        "/api/people/get"
        | "/api/people/set_role"
        | "/api/people/disable"
        | "/api/people/enable"
        | "/api/people/remove"
        | "/api/people/reset_password"
        | "/api/people/drop_second_factor" => Named::Person("id"),
        "/api/account/change_password"
        | "/api/account/choose_password"
        | "/api/account/reset_for"
        | "/api/audit/own"
        | "/api/audit/own_calls"
        | "/api/audit/state"
        | "/api/hub/status"
        | "/api/hub/choose_log_levels"
        | "/api/hub/back_up"
        | "/api/hub/hand_over"
        | "/api/hub/terminal"
        | "/api/hub/set_terminal"
        | "/api/hub/files"
        | "/api/hub/set_files"
        | "/api/hub/packed_days"
        | "/api/hub/pack_conversations"
        | "/api/hub/allow_mcp_program"
        | "/api/hub/forbid_mcp_program"
        | "/api/hub/revoke_skill"
        | "/api/hub/restore_skill"
        | "/api/people/list"
        | "/api/account/create_token"
        | "/api/account/devices"
        | "/api/account/erase"
        | "/api/account/appearance"
        | "/api/account/side_calls"
        | "/api/account/conversations_kept"
        | "/api/account/packed_conversations"
        | "/api/account/space"
        | "/api/account/invite"
        | "/api/account/me"
        | "/api/account/side_bar"
        | "/api/account/pending_sign_in"
        | "/api/account/set_sign_up"
        | "/api/account/set_up"
        | "/api/account/sign_in"
        | "/api/account/sign_in_code"
        | "/api/account/sign_out"
        | "/api/account/sign_up"
        | "/api/account/tokens"
        | "/api/account/welcome"
        | "/api/oauth/asks"
        | "/api/oauth/answer"
        | "/api/agents/create"
        | "/api/agents/list"
        | "/api/agents/tools"
        | "/api/agents/wish"
        | "/api/agents/wish_with_key"
        | "/api/approvals/list"
        | "/api/archives/gallery"
        | "/api/groups/list"
        | "/api/guide/start"
        | "/api/models/delete"
        | "/api/models/enter"
        | "/api/models/entered"
        | "/api/models/facts"
        | "/api/models/forget_own_price"
        | "/api/models/own_prices"
        | "/api/models/refresh"
        | "/api/models/set_own_price"
        | "/api/models/wanted"
        | "/api/money/all_usage"
        | "/api/money/limit_own"
        | "/api/money/own_budget"
        | "/api/money/people"
        | "/api/money/usage"
        | "/api/money/warnings"
        | "/api/conversations/recent"
        | "/api/providers/find"
        | "/api/providers/kept_keys"
        | "/api/providers/list"
        | "/api/providers/local"
        | "/api/providers/test"
        | "/api/passkeys/add"
        | "/api/passkeys/challenge"
        | "/api/passkeys/list"
        | "/api/passkeys/offered"
        | "/api/passkeys/place"
        | "/api/passkeys/sign_in"
        | "/api/passkeys/start"
        | "/api/settings/all"
        | "/api/settings/take"
        | "/api/second_factor/confirm"
        | "/api/second_factor/get"
        | "/api/second_factor/leave"
        | "/api/second_factor/renew_codes"
        | "/api/second_factor/start"
        | "/api/second_factor/started"
        | "/api/second_factor/stop"
        | "/api/delegations/list"
        | "/api/pipelines/asking"
        | "/api/pipelines/create"
        | "/api/pipelines/list"
        | "/api/reviews/list"
        | "/api/teams/bring"
        | "/api/teams/roles"
        | "/api/schedules/all"
        | "/api/schedules/idle"
        | "/api/shares/list"
        | "/api/agent_shares/askable"
        | "/api/files/given"
        | "/api/files/take_all_back"
        | "/api/sharing/list"
        | "/api/approvals/answer_notified"
        | "/api/approvals/reply_notified"
        | "/api/notifications/add_channel"
        | "/api/notifications/list"
        | "/api/notifications/muted"
        | "/api/notifications/push_off"
        | "/api/notifications/push_on"
        | "/api/notifications/push_renew"
        | "/api/notifications/reach"
        | "/api/notifications/read_all"
        | "/api/account/set_appearance"
        | "/api/account/set_side_calls"
        | "/api/account/keep_conversations"
        | "/api/account/pack_conversations"
        | "/api/agents/pause_all"
        | "/api/notifications/set"
        | "/api/notifications/settings"
        | "/api/memories/create"
        | "/api/memories/import"
        | "/api/memories/list"
        | "/api/memories/meaning"
        | "/api/person_context/show"
        | "/api/person_context/turn_on"
        | "/api/person_context/turn_off"
        | "/api/person_context/locate"
        | "/api/person_context/report"
        | "/api/person_context/note"
        | "/api/person_context/clear_sayings"
        | "/api/web_search/add"
        | "/api/skills/bring"
        | "/api/skills/found"
        | "/api/skills/list"
        | "/api/workspaces/list"
        | "/api/workspaces/create"
        | "/api/skills/write"
        | "/api/web_search/list"
        | "/api/speech/choices"
        | "/api/mcp_servers/add_program"
        | "/api/mcp_servers/programs"
        | "/api/mcp_servers/offered"
        | "/api/mcp_servers/list"
        | "/api/peers/add"
        | "/api/peers/list"
        | "/api/job_services/add"
        | "/api/job_services/list"
        | "/api/external_jobs/list"
        | "/api/topics/publish"
        | "/api/console/show"
        | "/api/topics/list" => Named::Nothing,
        path => panic!("say whose thing {path} names"),
    }
}
