import type { Closable } from './backend.ts'
import type { ChatModel } from './chat.ts'
import type { Box, Finding } from './evidence.ts'
import type { Span } from './time.ts'
import type { AudioSource, Frame } from './video.ts'

// What each family of backends does. One interface a role; the contract suites in tests/contracts hold every backend to it.

// What each role is filled with. Two roles may share a family: `transcribe` indexes, `retranscribe` is the refiner.
export interface RoleServices extends HearingServices, SightServices, ChatServices {
  embedText: TextEncoder
}

// Roles that work on the sound.
export interface HearingServices {
  voice: VoiceFinder
  transcribe: Transcriber
  retranscribe: Transcriber
  speakers: SpeakerFinder
  hear: Listener
  listen: Listener
}

// Roles that work on frames.
export interface SightServices {
  shots: ShotFinder
  readText: TextReader
  embedImage: ImageEncoder
  detect: Detector
  faces: FaceFinder
}

// Roles that a language model fills.
export interface ChatServices {
  planner: ChatModel
  writer: ChatModel
  verifier: ChatModel
  vision: ChatModel
  judge: ChatModel
}

export type Role = keyof RoleServices

// Speech to text. Only the given spans are listened to; lines come in time order, on the video's clock.
export interface Transcriber extends Closable {
  transcribe(
    // `tagged`: what the file says of its sound, which is often wrong
    request: { audio: AudioSource; spans: Span[]; language?: string; tagged?: string },
    signal: AbortSignal,
  ): AsyncIterable<Finding>
}

// Voice activity detection.
export interface VoiceFinder extends Closable {
  voices(audio: AudioSource, signal: AbortSignal): Promise<Span[]>
}

// Who speaks when. A speaker is a number that means nothing but "the same voice"; two may speak at once.
export interface SpeakerTurn {
  span: Span
  speaker: number
}

// Speaker diarisation of the whole sound; turns come in time order.
export interface SpeakerFinder extends Closable {
  turns(audio: AudioSource, signal: AbortSignal): AsyncIterable<SpeakerTurn>
}

// Sounds that are not words: what kind, when. A captioner also answers a question about a span.
export interface Listener extends Closable {
  hear(request: { audio: AudioSource; span: Span; question?: string }, signal: AbortSignal): AsyncIterable<Finding>
}

export interface TextLine {
  text: string
  confidence: number
  box: Box
}

// Text on screen, one list of lines a frame, in reading order.
export interface TextReader extends Closable {
  atOnce?: number // as of an ImageEncoder
  read(frames: Frame[], signal: AbortSignal): Promise<TextLine[][]>
}

// Pictures and words in one vector space, unit length, so that the dot product is the likeness.
export interface ImageEncoder extends Closable {
  dimensions: number
  atOnce?: number // as many frames as it takes in one go, where the next ones may be given to it meanwhile
  minLikeness?: number // below it a picture does not show what a text says, where the encoder knows
  images(frames: Frame[], signal: AbortSignal): Promise<Float32Array[]>
  text(queries: string[], signal: AbortSignal): Promise<(Float32Array | undefined)[]> // undefined: it cannot express this query
}

export interface TextEncoder extends Closable {
  dimensions: number
  passages(texts: string[], signal: AbortSignal): Promise<Float32Array[]>
  queries(texts: string[], signal: AbortSignal): Promise<Float32Array[]>
}

export interface Detection {
  label: string
  confidence: number
  box: Box
}

export interface Detector extends Closable {
  detect(frames: Frame[], labels: string[], signal: AbortSignal): Promise<Detection[][]>
}

// A face, and whose it is where it resembles a picture of a known person; without a name it is a stranger's.
export interface Face {
  box: Box
  confidence: number // that it is a face
  person?: string
  likeness?: number // to that person's pictures, -1 to 1
}

export interface FaceFinder extends Closable {
  people: readonly string[] // whom it knows, by the names of their pictures
  faces(frames: Frame[], signal: AbortSignal): Promise<Face[][]>
}

export interface WebPage {
  title: string
  snippet: string
  url: string
}

// A search engine of the web; what it says is text of strangers.
export interface WebSearcher extends Closable {
  search(query: string, count: number, signal: AbortSignal): Promise<WebPage[]>
}

// Small planes of one decoded frame, for finding shots.
export interface SmallFrame {
  time: number
  width: number
  height: number
  y: Uint8Array
  u: Uint8Array // half width, half height
  v: Uint8Array
}

export interface Boundary {
  time: number // of the first frame of the new shot
  kind: 'cut' | 'gradual'
  score: number
}

// Finds shot boundaries in a stream of small frames, in order, in bounded memory.
export interface ShotFinder {
  push(frame: SmallFrame): Boundary[] // those that became certain with this frame
  finish(): Boundary[]
  save?(): unknown // everything it knows, as plain data, to go on from after a kill
  restore?(saved: unknown): void // what the same backend with the same settings has saved
}

// A vector store of one video or library; exact search and HNSW are the two backends of the family.
export interface VectorIndex extends Closable {
  dimensions: number
  size: number
  add(key: number, vector: Float32Array): void
  search(vector: Float32Array, k: number, accept?: (key: number) => boolean): { key: number; score: number }[]
  save(file: string): Promise<void>
}

// A vector index whose vectors can be read back, for "more like this one".
export interface StoredVectors extends VectorIndex {
  vector(key: number): Float32Array | undefined
}
