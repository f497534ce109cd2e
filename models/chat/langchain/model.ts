// What every LangChain chat model has, as far as it is used here.
export interface LangchainModel {
  model?: string
  modelName?: string
  invoke(messages: object[], options: { signal: AbortSignal }): Promise<unknown>
  stream?(messages: object[], options: { signal: AbortSignal }): Promise<AsyncIterable<unknown>>
  bindTools?(tools: object[]): LangchainModel
}
