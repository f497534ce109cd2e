// The part of node-llama-cpp that is used here: the package itself, with its types, is there only where somebody has installed it.
export interface LlamaPackage {
  getLlama(options: object): Promise<Llama>
  LlamaChat: new (options: { contextSequence: Sequence }) => Chat
}

interface Llama {
  gpu: false | 'cuda' | 'vulkan' | 'metal'
  loadModel(options: { modelPath: string }): Promise<Model>
  createGrammarForJsonSchema(schema: object): Promise<object>
  dispose(): Promise<void>
}

interface Model {
  tokenizer: unknown
  createContext(options: object): Promise<Context>
  dispose(): Promise<void>
}

interface Context {
  getSequence(): Sequence
  dispose(): Promise<void>
}

interface Sequence {
  tokenMeter: { usedOutputTokens: number }
}

interface Chat {
  chatWrapper: {
    generateContextState(options: { chatHistory: HistoryItem[] }): {
      contextText: { tokenize(tokenizer: unknown): unknown[] }
    }
  }
  generateResponse(history: HistoryItem[], options: object): Promise<Generated>
}

export type HistoryItem = { type: 'system' | 'user'; text: string } | { type: 'model'; response: string[] }

interface Generated {
  response: string
  fullResponse: (string | { segmentType?: string; text: string })[]
  metadata: { stopReason: string }
}
