import { useSignal } from '@preact/signals'
import { pageAddress } from '../../../../src/core/api/pages.ts'
import type { VideoEntry } from '../../../../src/core/api/video.ts'
import { Forget, Locate } from '../library/dialogs.tsx'
import { Drop, UploadList } from '../library/drop.tsx'
import { type Folders, readFolders } from '../library/folders.ts'
import { CardGrid } from '../library/grid.tsx'
import { listLibrary } from '../library/list-library.ts'
import { Places } from '../library/places.tsx'
import { add, queueIndexing } from '../library/queue.ts'
import { Toolbar } from '../library/toolbar.tsx'
import { sendFiles } from '../library/uploads.ts'
import { useVideos } from '../library/videos.ts'
import { useLoad } from '../load.ts'
import { Empty, ProblemNotice } from '../parts/problem.tsx'
import { currentRoute, go } from '../router.ts'
import type { ViewProps } from '../view.ts'

const noFolders: Folders = { folders: [], files: [], whole: true }

export default function LibraryView(_: ViewProps) {
  const videos = useVideos()
  const read = useLoad(readFolders)
  const dialog = useSignal<{ what: 'forget' | 'locate'; video: VideoEntry } | undefined>(undefined)
  const announcement = useSignal('')
  // Until every video is known, a file of a folder may be one of them.
  const { value: folders = noFolders } = read.loaded.value
  const unlisted = videos.whole.value ? folders : { ...folders, files: [] }
  const listing = listLibrary(videos.list.value, unlisted, currentRoute.value.query)
  const again = () => {
    videos.again()
    read.again()
  }
  const ask = (what: 'forget' | 'locate') => (video: VideoEntry) => {
    dialog.value = { what, video }
  }
  const close = () => {
    dialog.value = undefined
  }
  const announce = (text: string) => {
    announcement.value = text
    close()
    again()
  }
  const send = (files: Iterable<File>) => {
    const list = [...files]
    sendFiles(list, video => {
      if (list.length === 1 && currentRoute.value.match?.page === 'library') go(pageAddress('video', { video }))
      else videos.again()
    })
  }
  const error = videos.error.value
  return (
    <div class="library">
      <Places {...listing} indexAll={() => void queueIndexing(listing.wishes, again)} />
      <section aria-labelledby="library-title">
        <Toolbar shown={listing} whole={videos.whole.value} />
        <p class="said" role="status">
          {announcement}
        </p>
        <UploadList />
        {error && <ProblemNotice error={error} again={videos.again} />}
        {!error && (
          <Nothing
            all={listing.all}
            shown={listing.cards}
            whole={videos.whole.value}
            folders={unlisted.folders.length}
          />
        )}
        <CardGrid
          cards={listing.cards}
          acts={{
            index: video => void queueIndexing([{ video }], again),
            forget: ask('forget'),
            locate: ask('locate'),
          }}
          fileActs={{
            open: async file => go(pageAddress('video', { video: await add(file) })),
            index: file => void queueIndexing([{ file }], again),
          }}
        >
          {videos.whole.value && <Drop send={send} />}
        </CardGrid>
        {!unlisted.whole && <p class="dim small">Not every folder was looked into: there are more than 200.</p>}
      </section>
      {dialog.value?.what === 'forget' && <Forget video={dialog.value.video} close={close} done={announce} />}
      {dialog.value?.what === 'locate' && (
        <Locate video={dialog.value.video} files={unlisted.files} close={close} done={announce} />
      )}
    </div>
  )
}

function Nothing(props: { all: number; shown: readonly unknown[]; whole: boolean; folders: number }) {
  if (!props.whole || props.shown.length > 0) return null
  if (props.all > 0)
    return (
      <Empty title="Nothing fits">
        <p>
          No video is in this folder, state and name at once. <a href="/">Show all</a>
        </p>
      </Empty>
    )
  return (
    <Empty title="There is no video yet">
      <p>
        Drop one below{props.folders === 0 && ', or start the server with a folder of videos: '}
        {props.folders === 0 && <code>longtake serve FOLDER</code>}
        {props.folders > 0 && ', or put one into a folder that the server was started with'}.
      </p>
    </Empty>
  )
}
