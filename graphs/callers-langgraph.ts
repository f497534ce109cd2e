// The LangGraph of whoever imports "longtake/graph": bin/compile.mjs leaves it outside the bundle for this file alone.
export * as langgraph from '@langchain/langgraph'
