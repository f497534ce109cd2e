// How many rows a search gives that does not say. Without a schema, so that the help loads none.

export const defaultHits = 12 // for a person, who skims them
export const findHits = 10 // of `find`, for a model that then reads around each
export const agentHits = 8 // of `search`, for the agent, which carries every row through all later steps
