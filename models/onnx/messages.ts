import type { Provider } from './device.ts'

export type TensorData = Float32Array | Int32Array | Uint8Array | BigInt64Array | Uint16Array

export interface OnnxTensor {
  type: 'float32' | 'int32' | 'uint8' | 'int64' | 'float16' | 'bool'
  data: TensorData
  dims: number[]
}

export type Feeds = Record<string, OnnxTensor>

// A recurrent model over many steps in one message: `steps` holds the input of all of them one after the other,
// `carry` maps an output to the input that it becomes in the next step.
export interface Scan {
  input: string
  steps: Float32Array
  dims: number[] // of one step
  carry: Record<string, string>
  feeds: Feeds // constant inputs, and the first value of each carried one
  collect: string
}

export interface Scanned {
  values: Float32Array // the collected output of every step
  carried: Feeds // to go on from
}

export type OnnxJob =
  | { kind: 'open'; model: string; providers: Provider[]; threads: number }
  | { kind: 'run'; feeds: Feeds }
  | { kind: 'scan'; scan: Scan }
  | { kind: 'release' } // the session, not the thread
  | { kind: 'ran' } // after a run: which operations ran where, as Nodes

export interface Opened {
  provider: Provider
  inputs: string[]
  outputs: string[]
  refused: { provider: Provider; reason: string }[] // tried before the one that works
}

// `cancel` ends the job at its next step; `close` lets what runs come to its end first.
export type ThreadRequest<AnyJob> =
  | { kind: 'job'; id: number; job: AnyJob }
  | { kind: 'cancel'; id: number }
  | { kind: 'close' }
export type ThreadReply =
  | { id: number; result: unknown }
  | { id: number; error: string }
  | { id: number; piece: unknown }
