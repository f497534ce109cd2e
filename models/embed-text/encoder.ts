import { z } from 'zod'
import type { TextEncoder } from '../../src/core/services.ts'
import { ServerError } from '../http/server-error.ts'

// Settings shared by all encoders behind a server.
export const encoderSettings = {
  dimensions: z.number().int().positive().optional().describe('shorter vectors, where the model can make them'),
  queryPrefix: z.string().default('').describe('put before each query, as the model wants it ("query: ")'),
  passagePrefix: z.string().default('').describe('put before each line, as the model wants it ("passage: ")'),
  batch: z.number().int().positive().default(64).describe('texts in one call'),
  longest: z.number().int().positive().default(8000).describe('characters of a text; what is longer is cut there'),
}

type EncoderSettings = z.infer<z.ZodObject<typeof encoderSettings>>

type Embed = (texts: string[], signal: AbortSignal) => Promise<number[][]>

// A text encoder over a server's call. One call at opening determines the length of its vectors.
export async function textEncoder(
  name: string,
  settings: EncoderSettings,
  signal: AbortSignal,
  embed: Embed,
): Promise<Pick<TextEncoder, 'dimensions' | 'passages' | 'queries'>> {
  const [first] = await checked(name, embed, ['dimensions'], undefined, signal)
  const dimensions = first?.length ?? 0 // always there: one vector for each text
  let size = settings.batch
  const encode = async (texts: readonly string[], prefix: string, stop: AbortSignal) => {
    const vectors: Float32Array[] = []
    while (vectors.length < texts.length) {
      const some = texts.slice(vectors.length, vectors.length + size)
      const batch = some.map(text => prefix + cut(text, settings.longest))
      try {
        vectors.push(...(await checked(name, embed, batch, dimensions, stop)))
      } catch (error) {
        if (batch.length === 1 || !wantsFewer(error)) throw error
        size = Math.ceil(batch.length / 2)
      }
    }
    return vectors
  }
  return {
    dimensions,
    passages: (texts, stop) => encode(texts, settings.passagePrefix, stop),
    queries: (texts, stop) => encode(texts, settings.queryPrefix, stop),
  }
}

// Servers refuse an empty text and a surrogate pair that was cut in half.
function cut(text: string, max: number): string {
  const short = text.length > max ? text.slice(0, max) : text
  return short.trim() === '' ? ' ' : short.replaceAll(/\p{Surrogate}/gu, '')
}

// Some servers limit the number of texts in one call.
function wantsFewer(error: unknown): boolean {
  if (!(error instanceof ServerError)) return false
  const { status = 0, said = '' } = error.details
  return (
    status === 413 ||
    ((status === 400 || status === 422) && /batch size|too many inputs|maximum .{0,100}inputs/i.test(said))
  )
}

async function checked(
  name: string,
  embed: Embed,
  texts: string[],
  dimensions: number | undefined,
  signal: AbortSignal,
): Promise<Float32Array[]> {
  const vectors = await embed(texts, signal)
  if (vectors.length !== texts.length) throw wrong(name, `${vectors.length} vectors for ${texts.length} texts`)
  return vectors.map(vector => {
    if (vector.length === 0 || (dimensions !== undefined && vector.length !== dimensions))
      throw wrong(name, `a vector of ${vector.length} numbers instead of ${dimensions ?? 'some'}`)
    return unit(name, Float32Array.from(vector))
  })
}

function unit(name: string, vector: Float32Array): Float32Array {
  const length = Math.hypot(...vector)
  if (!Number.isFinite(length) || length === 0) throw wrong(name, 'a vector without a direction')
  return vector.map(value => value / length)
}

function wrong(name: string, what: string): ServerError {
  return new ServerError(`${name} answered with ${what}.`, {
    retry: 'no',
    hint: 'Is it a model for embeddings? Chat models are not.',
  })
}
