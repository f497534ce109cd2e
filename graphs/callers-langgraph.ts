// The LangGraph of whoever imports "longtake/graph": bin/compile.mjs leaves it outside the bundle only for this file.
export * as langgraph from '@langchain/langgraph'
