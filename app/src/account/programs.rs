//! How other programs use the person's models and agents, ready to copy.

use crate::origin::origin;
use crate::prelude::*;
use crate::ui::Section;

/// What somebody copies: its heading and the lines.
struct Snippet {
    of: &'static str,
    lines: String,
}

#[component]
pub(super) fn ProgramsSection() -> impl IntoView {
    let origin = origin();
    let addresses = [
        (t("Programs for OpenAI"), format!("{origin}/v1")),
        (t("Programs for Anthropic"), origin.clone()),
        (t("Programs for MCP"), format!("{origin}/mcp")),
    ];
    let addresses = addresses.map(|(of, address)| {
        view! {
            <div class="address">
                <dt>{of}</dt>
                <dd><code>{address}</code></dd>
            </div>
        }
    });
    let snippets = snippets(&origin).map(|Snippet { of, lines }| {
        view! {
            <details class="fold">
                <summary><span class="fold-title">{of}</span></summary>
                <div class="fold-body"><pre tabindex="0">{lines}</pre></div>
            </details>
        }
    });
    view! {
        <Section
            id="programs"
            title="Use it from other programs"
            lead="Whatever speaks the API of OpenAI or Anthropic can call your models here, with a token in place of a key. What speaks MCP or A2A can ask your agents. Your keys stay here, and your limits hold."
        >
            <dl class="addresses">{addresses}</dl>
            <p class="soft">
                "Every token may call models. A model is called by its provider and its own name, like "
                <code>"My provider/its-model"</code>
                ", or by its own name alone where one provider has it; an agent answers as "
                <code>"agent/its-name"</code>
                " to a token that may call agents. The list of models has them all, but for models on your own device, which only your browser calls."
            </p>
            <p class="soft">
                "For MCP each of your agents is a tool, and to a token that may do what you can do its files are resources. For A2A each has an address of its own: it stands where you edit the agent. Both take a token that may call agents, and what a program says there is marked as a program's words. A program for MCP that can sign in needs the address alone: it sends you here, you let it in, and it stands under API tokens from then on."
            </p>
            <div class="folds">{snippets.into_iter().collect_view()}</div>
        </Section>
    }
}

fn snippets(origin: &str) -> [Snippet; 4] {
    [
        Snippet {
            of: t("With curl"),
            lines: format!(
                r#"curl {origin}/v1/chat/completions \
  -H "Authorization: Bearer $VIVARIUM_TOKEN" \
  -H "Content-Type: application/json" \
  -d '{{
    "model": "MODEL",
    "messages": [{{ "role": "user", "content": "Hello" }}]
  }}'"#
            ),
        },
        Snippet {
            of: t("With Python, openai"),
            lines: format!(
                r#"import os
from openai import OpenAI

client = OpenAI(
    base_url="{origin}/v1",
    api_key=os.environ["VIVARIUM_TOKEN"],
)
reply = client.chat.completions.create(
    model="MODEL",
    messages=[{{"role": "user", "content": "Hello"}}],
)
print(reply.choices[0].message.content)"#
            ),
        },
        Snippet {
            of: t("With Python, anthropic"),
            lines: format!(
                r#"import os
from anthropic import Anthropic

client = Anthropic(
    base_url="{origin}",
    api_key=os.environ["VIVARIUM_TOKEN"],
)
reply = client.messages.create(
    model="MODEL",
    max_tokens=1024,
    messages=[{{"role": "user", "content": "Hello"}}],
)
print(reply.content[0].text)"#
            ),
        },
        Snippet {
            of: t("With MCP, as most programs are configured"),
            lines: format!(
                r#"{{
  "mcpServers": {{
    "vivarium": {{
      "type": "http",
      "url": "{origin}/mcp",
      "headers": {{ "Authorization": "Bearer TOKEN" }}
    }}
  }}
}}"#
            ),
        },
    ]
}
