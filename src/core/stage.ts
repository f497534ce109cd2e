import { z } from 'zod'
import { RanOn } from './backend.ts'

// A stage's result is a folder of files under hash(video, stage, backend, settings, inputs, version); see src/store/stage.ts.

// One file of a result. Large ones have the hashes of their blocks, so that a use need not read every byte.
export const StoredFile = z.object({
  bytes: z.number(),
  sha256: z.string(),
  blocks: z.object({ bytes: z.number().int().min(1), sha256: z.array(z.string()) }).optional(), // each hash cut to 32 digits
})
export type StoredFile = z.infer<typeof StoredFile>

export const StageMeta = z.object({
  format: z.literal(1),
  stage: z.string(),
  key: z.string(),
  video: z.string(),
  by: z.string(), // "transcribe/pocketsphinx"
  settings: z.unknown(),
  inputs: z.record(z.string(), z.string()), // stage name to its key
  seconds: z.number(), // how long it took
  finished: z.string(), // ISO date
  files: z.record(z.string(), StoredFile),
  notes: z.array(z.string()),
  ran: z.array(RanOn).optional(), // which device its models really ran on
})
export type StageMeta = z.infer<typeof StageMeta>

export interface ByteSink {
  write(bytes: Uint8Array): Promise<void>
  flush?(): Promise<void> // what was written so far can be read by others
  close(): Promise<void>
}

// Where a running stage puts its files. Nothing is visible to others until the stage has returned.
export interface StageWriter {
  json(name: string, value: unknown): Promise<void>
  lines(name: string, rows: Iterable<unknown> | AsyncIterable<unknown>): Promise<number> // one JSON object a line; returns how many
  bytes(name: string): Promise<ByteSink>
  path(name: string): string // for libraries that write a file themselves (HNSW, SQLite)
  note(text: string): void // kept in the meta file and shown with the coverage
  parts?: StageParts // where the stage may be gone on with after a kill
}

// Work of a long stage that outlives a kill: files that grow, and what was known when they were last whole.
export interface StageParts {
  state(): Promise<Uint8Array | undefined> // as last saved
  save(state: Uint8Array): Promise<void> // once everything written so far is on disk
  append(name: string, size: number): Promise<ByteSink> // goes on from that size; what lies beyond is cut off
  give(name: string): Promise<void> // a finished file becomes one of the stage's
  path(name: string): string
}

export interface StageResult {
  stage: string
  key: string
  folder: string
  meta: StageMeta
  reused: boolean
}

export interface StageReader {
  json<T>(name: string, shape: z.ZodType<T>): Promise<T>
  lines<T>(name: string, shape: z.ZodType<T>): Promise<T[]>
  path(name: string): string
  has(name: string): boolean
}

// done and total in seconds of media.
export type Progress = (done: number, total: number) => void
