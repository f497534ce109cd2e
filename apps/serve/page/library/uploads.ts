import { signal } from '@preact/signals'
import { queryText } from '../../../../src/core/api/pages.ts'
import { ApiError, api } from '../api.ts'
import { token } from '../token.ts'

export interface PendingUpload {
  id: number
  name: string
  bytes: number
  sent: number
  state: 'waiting' | 'sending' | 'reading' | 'done' | 'failed'
  video?: string
  error?: Error
  stop(): void
}

// What was dropped on the page, one file at a time; it goes on while other views are open.
export const uploads = signal<readonly PendingUpload[]>([])

const sending: { file: File; upload: PendingUpload }[] = []
let busy = false
let last = 0

// Sends the files, then has them indexed; `done` is told the video of each.
export function sendFiles(files: Iterable<File>, done: (video: string) => void): void {
  for (const file of files) {
    const id = ++last
    const upload: PendingUpload = {
      id,
      name: file.name,
      bytes: file.size,
      sent: 0,
      state: 'waiting',
      stop: () => drop(id),
    }
    uploads.value = [...uploads.value, upload]
    sending.push({ file, upload })
  }
  if (!busy) void sendNext(done)
}

export function dismiss(id: number): void {
  uploads.value = uploads.value.filter(one => one.id !== id)
}

function drop(id: number): void {
  const at = sending.findIndex(({ upload }) => upload.id === id)
  if (at !== -1) sending.splice(at, 1)
  dismiss(id)
}

async function sendNext(done: (video: string) => void): Promise<void> {
  busy = true
  addEventListener('beforeunload', keep)
  for (let next = sending.shift(); next; next = sending.shift()) {
    const { id } = next.upload
    const change = (part: Partial<PendingUpload>) => {
      uploads.value = uploads.value.map(one => (one.id === id ? { ...one, ...part } : one))
    }
    try {
      const video = await send(next.file, change, () => dismiss(id))
      if (video === undefined) continue // stopped by hand
      change({ state: 'done', video })
      done(video)
    } catch (error) {
      change({ state: 'failed', error: error instanceof Error ? error : new Error(String(error)) })
    }
  }
  removeEventListener('beforeunload', keep)
  busy = false
}

async function send(
  file: File,
  change: (part: Partial<PendingUpload>) => void,
  dismissed: () => void,
): Promise<string | undefined> {
  const stop = new AbortController()
  change({
    state: 'sending',
    stop() {
      stop.abort()
      dismissed()
    },
  })
  const upload = await sendBody(file, sent => change({ sent }), stop.signal)
  if (stop.signal.aborted || upload === undefined) return undefined
  change({ state: 'reading', sent: file.size })
  const { id } = await api('POST /videos', { body: { upload } })
  await api('POST /videos/:video/index', { params: { video: id } })
  return id
}

// fetch says nothing of how much of a body was sent.
function sendBody(file: File, sent: (bytes: number) => void, stop: AbortSignal): Promise<string | undefined> {
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest()
    request.open('POST', `/api/uploads${queryText({ name: file.name })}`)
    request.setRequestHeader('authorization', `Bearer ${token.value ?? ''}`)
    request.setRequestHeader('content-type', 'application/octet-stream')
    request.responseType = 'json'
    request.upload.onprogress = ({ loaded }) => sent(loaded)
    request.onload = () => {
      if (request.status < 300) resolve(request.response?.upload)
      else reject(new ApiError(request.response?.error ?? unclear(request.status)))
    }
    request.onerror = () =>
      reject(new ApiError({ ...unclear(0), message: `The server broke off while it took ${file.name}.` }))
    request.onabort = () => resolve(undefined)
    stop.addEventListener('abort', () => request.abort(), { once: true })
    request.send(file)
  })
}

function unclear(status: number) {
  return { message: `The server replied with status ${status}.`, code: 'fault', retryable: true }
}

function keep(event: BeforeUnloadEvent): void {
  event.preventDefault()
}
