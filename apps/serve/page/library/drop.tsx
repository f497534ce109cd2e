import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import { Text } from '../../../../src/page/text.tsx'
import { formatShare, formatSize } from '../parts/format.ts'
import { Icon } from '../parts/icon.tsx'
import { ProblemNotice } from '../parts/problem.tsx'
import { dismiss, type PendingUpload, uploads } from './uploads.ts'

// Where a file can be dropped: anywhere on the page. The button is for those who do not drag.
export function Drop({ send }: { send(files: Iterable<File>): void }) {
  const over = useSignal(false)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    const show = (event: DragEvent) => {
      if (!event.dataTransfer?.types.includes('Files')) return
      event.preventDefault()
      over.value = event.type === 'dragover'
    }
    const take = (event: DragEvent) => {
      show(event)
      if (event.dataTransfer?.files.length) send(event.dataTransfer.files)
    }
    const leave = (event: DragEvent) => {
      if (event.relatedTarget === null) over.value = false // out of the window
    }
    addEventListener('dragover', show)
    addEventListener('dragleave', leave)
    addEventListener('drop', take)
    return () => {
      removeEventListener('dragover', show)
      removeEventListener('dragleave', leave)
      removeEventListener('drop', take)
    }
  }, [])
  return (
    <li class={over.value ? 'card drop over' : 'card drop'}>
      <button type="button" onClick={() => input.current?.click()}>
        <Icon name="plus" />
        {over.value ? 'Drop it: it is copied into the library' : 'Drop a video here, or choose one'}
      </button>
      <input
        ref={input}
        type="file"
        hidden
        multiple
        accept="video/*,audio/*,.mkv,.avi,.ts,.mts,.flv,.wmv"
        onChange={({ currentTarget }) => {
          send([...(currentTarget.files ?? [])])
          currentTarget.value = ''
        }}
      />
    </li>
  )
}

export function UploadList() {
  if (uploads.value.length === 0) return null
  return (
    <ul class="uploads" aria-label="Uploads">
      {uploads.value.map(upload => (
        <UploadRow key={upload.id} upload={upload} />
      ))}
    </ul>
  )
}

function UploadRow({ upload }: { upload: PendingUpload }) {
  const { id, name, bytes, sent, state, error, stop } = upload
  if (state === 'done') return null
  if (error)
    return (
      <li>
        <Text of={name} class="name" />
        <ProblemNotice error={error} />
        <button type="button" class="small" onClick={() => dismiss(id)}>
          Dismiss
        </button>
      </li>
    )
  return (
    <li>
      <Text of={name} class="name" />
      <progress value={bytes === 0 ? 0 : sent / bytes} aria-label={`Sending ${name}`} />
      <span class="dim small">
        {state === 'waiting'
          ? 'waiting'
          : state === 'reading'
            ? 'checking…'
            : `${formatShare(bytes === 0 ? 0 : sent / bytes)} of ${formatSize(bytes)}`}
      </span>
      <button type="button" class="small" disabled={state === 'reading'} onClick={stop}>
        Stop
      </button>
    </li>
  )
}
