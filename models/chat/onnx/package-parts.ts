import type * as Transformers from '@xenova/transformers'

// The part of the transformers package that is used here; its own types are too wide to help.

export type Package = typeof Transformers

export interface PackageTokenizer {
  apply_chat_template(messages: object[], options: object): string
  (text: string, options: object): Inputs
  batch_decode(tokens: unknown, options: object): string[]
}

export interface Inputs {
  input_ids: { dims: number[] }
  pixel_values?: unknown
}

export interface ImageProcessor {
  (
    pictures: Transformers.RawImage[],
  ): Promise<{ pixel_values: Transformers.Tensor; image_grid_thw?: Transformers.Tensor }>
  do_resize?: boolean
  resample?: number
  max_image_size?: { longest_edge?: number }
  config: Record<string, unknown>
}

export interface Processor {
  (...inputs: unknown[]): Promise<Inputs>
  image_processor?: ImageProcessor
}

export interface Model {
  config: { model_type: string }
  generate(options: object): Promise<{ dims: number[]; slice(...ranges: unknown[]): unknown }>
  forward(inputs: object): Promise<{ logits: Transformers.Tensor }>
  dispose(): Promise<unknown>
}

export interface OpenedChat {
  transformers: Package
  tokenizer: PackageTokenizer
  processor?: Processor
  model: Model
  template?: string
}
