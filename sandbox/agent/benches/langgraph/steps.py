"""What a step of an agent's loop costs in LangGraph: a model call and a tool call, both of which
answer at once, so that only the loop is measured. Medians of CPU time of the process."""

import importlib.metadata
import itertools
import sqlite3
import statistics
import sys
import tempfile
import time
from pathlib import Path

from langchain_core.messages import AIMessage, HumanMessage, ToolMessage
from langgraph.checkpoint.sqlite import SqliteSaver
from langgraph.graph import END, START, MessagesState, StateGraph

STEPS = 38


def graph(clock, checkpointer=None):
    numbers = itertools.count()

    def model(state):
        clock.append(time.process_time_ns())
        number = next(numbers)
        if len(clock) > STEPS:
            return {"messages": [AIMessage("Done.")]}
        arguments = {"action": "query", "selector": f"#part-{number}"}
        call = {"name": "dom", "args": arguments, "id": f"call-{number}"}
        return {"messages": [AIMessage("", tool_calls=[call])]}

    def tools(state):
        call = state["messages"][-1].tool_calls[0]
        content = f'{{"matched":1,"of":"{call["id"]}"}}'
        return {"messages": [ToolMessage(content, tool_call_id=call["id"], name="dom")]}

    def after(state):
        return "tools" if state["messages"][-1].tool_calls else END

    builder = StateGraph(MessagesState)
    builder.add_node("model", model)
    builder.add_node("tools", tools)
    builder.add_edge(START, "model")
    builder.add_conditional_edges("model", after, ["tools", END])
    builder.add_edge("tools", "model")
    return builder.compile(checkpointer=checkpointer)


def history(steps):
    messages = [HumanMessage("Do the next part of the work.", id="first")]
    for number in range(steps):
        call = {"name": "dom", "args": {"action": "query"}, "id": f"old-{number}"}
        messages.append(AIMessage("", tool_calls=[call], id=f"a-{number}"))
        content = '{"matched":1}'
        messages.append(ToolMessage(content, tool_call_id=call["id"], name="dom", id=f"t-{number}"))
    return messages


def measure(name, steps, checkpointer=None):
    clock = []
    config = {"recursion_limit": 10 * STEPS, "configurable": {"thread_id": name}}
    options = {"durability": "sync"} if checkpointer else {}
    graph(clock, checkpointer).invoke({"messages": history(steps)}, config, **options)
    took = [after - before for before, after in itertools.pairwise(clock)]
    step = statistics.median(took) / 1000
    print(f"{name:<34} {step:>9.1f} µs a step  {step / 2:>9.1f} µs a superstep")


def main():
    versions = [f"{name} {importlib.metadata.version(name)}" for name in ("langgraph", "langgraph-checkpoint-sqlite")]
    print(f"Python {sys.version.split()[0]}, {', '.join(versions)}, {STEPS} steps each")
    measure("warm-up", 10)
    measure("bare, after 10 steps", 10)
    measure("bare, after 1,000 steps", 1000)
    with tempfile.TemporaryDirectory() as folder:
        connection = sqlite3.connect(Path(folder) / "steps.db", check_same_thread=False)
        measure("SQLite, sync, after 10 steps", 10, SqliteSaver(connection))
        measure("SQLite, sync, after 1,000 steps", 1000, SqliteSaver(connection))
        connection.close()


if __name__ == "__main__":
    main()
