import { Agent as HttpAgent, request as http, type IncomingMessage } from 'node:http'
import { Agent as HttpsAgent, request as https } from 'node:https'
import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { errorCode, UsageError } from '../../../../src/core/errors.ts'
import { exactBytes } from '../object-bytes.ts'
import { objectUrl, type S3Bucket } from './address.ts'
import { isPassing, readErrorText, refusal, unreachable } from './refusal.ts'

interface S3Request {
  method: 'GET' | 'HEAD' | 'PUT' | 'POST' | 'DELETE'
  key?: string
  query?: Record<string, string>
  headers?: Record<string, string>
  body?: { open: () => Readable; bytes: number }
  accept?: readonly number[] // statuses besides 2xx that are answers
}

export interface S3Client {
  bucket: S3Bucket
  send(asked: S3Request): Promise<IncomingMessage>
  sendForText(asked: S3Request): Promise<string>
}

export interface S3Timing {
  attempts: number
  pause: number // milliseconds before the second attempt; it doubles
  silence: number // milliseconds without a byte
}

export const usualTiming: S3Timing = { attempts: 7, pause: 200, silence: 60_000 }

// Signed requests to one bucket. What passes by itself (503, a cut connection) is tried again, a bounded number of times.
export async function s3Client(bucket: S3Bucket, timing: S3Timing): Promise<S3Client> {
  const { AwsV4Signer } = await import('aws4fetch').catch(cause => {
    throw new UsageError('To use a bucket, the package aws4fetch must be installed.', {
      hint: 'npm install aws4fetch@1.0.20',
      cause,
    })
  })
  const secure = bucket.endpoint.protocol === 'https:'
  const agent = secure ? new HttpsAgent({ keepAlive: true }) : new HttpAgent({ keepAlive: true })

  const once = async ({ method, key, query = {}, headers = {}, body }: S3Request): Promise<IncomingMessage> => {
    const url = objectUrl(bucket, key)
    for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value)
    const signer = new AwsV4Signer({
      ...bucket.keys,
      url: url.href,
      method,
      headers,
      service: 's3',
      region: bucket.region,
    })
    const signed = await signer.sign()
    const sent: Record<string, string> = Object.fromEntries(signed.headers)
    if (body) sent['content-length'] = String(body.bytes)
    return new Promise((resolve, reject) => {
      const request = (secure ? https : http)(signed.url, { method, headers: sent, agent })
      request.setTimeout(timing.silence, () =>
        request.destroy(Object.assign(new Error(`no byte for ${timing.silence / 1000} s`), { code: 'ETIMEDOUT' })),
      )
      request.on('response', resolve)
      request.on('error', reject)
      if (!body) return void request.end()
      // What is wrong with the body no other attempt mends.
      const content = async function* () {
        try {
          yield* exactBytes(body.bytes, key ?? '')(body.open())
        } catch (error) {
          reject(error)
          throw error
        }
      }
      // A server that refuses answers before it has read everything: its answer is worth more than the broken pipe.
      pipeline(content, request).catch(error => errorCode(error) !== 'EPIPE' && request.destroy(error))
    })
  }

  const retry = async <T>(work: () => Promise<T>): Promise<T> => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await work()
      } catch (error) {
        const passing = isPassing(error)
        if (!passing) throw error
        if (attempt >= timing.attempts) throw unreachable(bucket, error, attempt)
        const wait = Math.min(20_000, timing.pause * 2 ** (attempt - 1)) * (0.5 + Math.random())
        await sleep(Math.max(wait, Math.min(30, passing.after ?? 0) * 1000))
      }
    }
  }

  const answered = async (asked: S3Request) => {
    const response = await once(asked)
    const { statusCode = 0 } = response
    if ((statusCode >= 200 && statusCode < 300) || asked.accept?.includes(statusCode)) return response
    throw refusal(bucket, asked, response, await readErrorText(response).catch(() => ''))
  }

  return {
    bucket,
    send: asked => retry(() => answered(asked)),
    // The text is read inside the attempt: one that is cut is asked for again. An upload is completed with status 200 even where it failed.
    sendForText: asked =>
      retry(async () => {
        const response = await answered(asked)
        const text = await readErrorText(response)
        if (/^\s*(?:<\?xml[^>]*>\s*)?<Error>/.test(text)) throw refusal(bucket, asked, response, text)
        return text
      }),
  }
}
