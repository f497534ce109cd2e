import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import type { VideoEntry } from '../../../../src/core/api/video.ts'
import { Dialog } from '../../../../src/page/dialog.tsx'
import { Text } from '../../../../src/page/text.tsx'
import { api } from '../api.ts'
import { formatSize } from '../parts/format.ts'
import { ProblemNotice } from '../parts/problem.tsx'
import type { NewFile } from './folders.ts'
import { add } from './queue.ts'

interface Props {
  video: VideoEntry
  close(): void
  done(said: string): void
}

export function RemoveVideo({ video, close, done }: Props) {
  const task = useWork()
  const remove = () =>
    task.run(async () => {
      const { bytes } = await api('DELETE /videos/:video', { params: { video: video.id } })
      done(`${video.name} is removed: ${formatSize(bytes)} freed. The video file was not touched.`)
    })
  return (
    <Dialog title="Remove from library?" close={close}>
      <p>
        The index of <Text of={video.name} class="strong" /> is deleted. To ask about it again, index it again.
      </p>
      <p>
        The video file {video.state === 'gone' ? 'is missing already:' : 'stays:'} <Text of={video.path} class="path" />
      </p>
      {task.error && <ProblemNotice error={task.error} />}
      <Buttons close={close}>
        <button type="button" class="danger" disabled={task.busy} onClick={remove}>
          Remove
        </button>
      </Buttons>
    </Dialog>
  )
}

// A video goes by its content: the same file elsewhere is the same video.
export function Locate({ video, files, close, done }: Props & { files: readonly NewFile[] }) {
  const task = useWork()
  const alike = files.filter(({ bytes }) => bytes === video.bytes)
  const use = (file: NewFile) =>
    task.run(async () => {
      const id = await add(file)
      if (id !== video.id) throw new Error(`${file.name} is another video. It was added as well.`)
      done(`${video.name} is back in the library.`)
    })
  return (
    <Dialog title="Where is the file?" close={close}>
      <p>
        <Text of={video.name} class="strong" /> is no longer at <Text of={video.path} class="path" />. Its index can
        still be read.
      </p>
      {alike.length > 0 ? (
        <>
          <p>Files of the same size, which are not in the library yet:</p>
          <ul class="alike">
            {alike.map(file => (
              <li key={`${file.folder}/${file.path}`}>
                <Text of={file.path} class="path" />
                <button type="button" disabled={task.busy} onClick={() => use(file)}>
                  This one
                </button>
              </li>
            ))}
          </ul>
        </>
      ) : (
        <p>
          Put it back, or start the server with the folder in which it is now: <code>longtake serve FOLDER</code>. It is
          known by its content, whatever its name.
        </p>
      )}
      {task.error && <ProblemNotice error={task.error} />}
      <Buttons close={close} />
    </Dialog>
  )
}

function Buttons({ close, children }: { close(): void; children?: ComponentChildren }) {
  return (
    <p class="buttons">
      {children}
      <button type="button" onClick={close}>
        {children ? 'Cancel' : 'Close'}
      </button>
    </p>
  )
}

function useWork() {
  const busy = useSignal(false)
  const error = useSignal<Error | undefined>(undefined)
  return {
    busy: busy.value,
    error: error.value,
    async run(work: () => Promise<void>) {
      busy.value = true
      error.value = undefined
      await work().catch(reason => {
        error.value = reason
      })
      busy.value = false
    },
  }
}
