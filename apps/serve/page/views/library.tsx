import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { pageAddress } from '../../../../src/core/api/pages.ts'
import type { VideoEntry } from '../../../../src/core/api/video.ts'
import { type CardActs, type FileActs, FileCard, VideoCard } from '../library/card.tsx'
import { Locate, RemoveVideo } from '../library/dialogs.tsx'
import { Drop, UploadList } from '../library/drop.tsx'
import { type Folders, readFolders } from '../library/folders.ts'
import { cardKey, type LibraryCard, listLibrary } from '../library/list-library.ts'
import { Places } from '../library/places.tsx'
import { add, queueIndexing } from '../library/queue.ts'
import { RecentQuestions } from '../library/recent-questions.tsx'
import { Toolbar } from '../library/toolbar.tsx'
import { sendFiles } from '../library/uploads.ts'
import { useVideos } from '../library/videos.ts'
import { useLoad } from '../load.ts'
import { More } from '../parts/more.tsx'
import { Empty, ProblemNotice } from '../parts/problem.tsx'
import { currentRoute, go } from '../router.ts'
import type { ViewProps } from '../view.ts'

const noFolders: Folders = { folders: [], files: [], whole: true }

export default function LibraryView(_: ViewProps) {
  const videos = useVideos()
  const read = useLoad(readFolders)
  const dialog = useSignal<{ what: 'remove' | 'locate'; video: VideoEntry } | undefined>(undefined)
  const announcement = useSignal('')
  // Until every video is known, a file of a folder may be one of them.
  const { value: folders = noFolders } = read.loaded.value
  const unlisted = videos.whole.value ? folders : { ...folders, files: [] }
  const listing = listLibrary(videos.list.value, unlisted, currentRoute.value.query)
  const again = () => {
    videos.again()
    read.again()
  }
  const ask = (what: 'remove' | 'locate') => (video: VideoEntry) => {
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
        <RecentQuestions />
        <p class="said" role="status">
          {announcement}
        </p>
        <UploadList />
        {error && <ProblemNotice error={error} again={videos.again} />}
        {!error && <Nothing all={listing.all} shown={listing.cards} whole={videos.whole.value} />}
        <CardGrid
          cards={listing.cards}
          acts={{
            index: video => void queueIndexing([{ video }], again),
            remove: ask('remove'),
            locate: ask('locate'),
          }}
          fileActs={{
            open: async file => go(pageAddress('video', { video: await add(file) })),
            index: file => void queueIndexing([{ file }], again),
          }}
        >
          {videos.whole.value && <Drop send={send} />}
        </CardGrid>
        {!unlisted.whole && <p class="dim small">Only the first 200 folders were read.</p>}
      </section>
      {dialog.value?.what === 'remove' && <RemoveVideo video={dialog.value.video} close={close} done={announce} />}
      {dialog.value?.what === 'locate' && (
        <Locate video={dialog.value.video} files={unlisted.files} close={close} done={announce} />
      )}
    </div>
  )
}

function Nothing(props: { all: number; shown: readonly unknown[]; whole: boolean }) {
  if (!props.whole || props.shown.length > 0) return null
  if (props.all > 0)
    return (
      <Empty title="Nothing matches">
        <p>
          No video matches this folder, state and name. <a href="/">Show all</a>
        </p>
      </Empty>
    )
  return (
    <Empty title="No videos yet">
      <p>Drop one below, put one into a folder of this server, or start the server with your own:</p>
      <p>
        <code>longtake serve FOLDER --open</code>
      </p>
      <p>
        The same on the command line: <code>longtake ask FILE "What is it about?"</code>
      </p>
    </Empty>
  )
}

interface GridProps {
  cards: readonly LibraryCard[]
  acts: CardActs
  fileActs: FileActs
  children: ComponentChildren
}

const cardsAtOnce = 500

// Cards that are out of sight are not laid out (content-visibility in library.css), and those far below are not made.
function CardGrid({ cards, acts, fileActs, children }: GridProps) {
  const limit = useSignal(cardsAtOnce)
  return (
    <>
      <ul class="cards">
        {cards
          .slice(0, limit.value)
          .map(card =>
            'video' in card ? (
              <VideoCard key={cardKey(card)} video={card.video} acts={acts} />
            ) : (
              <FileCard key={cardKey(card)} file={card.file} acts={fileActs} />
            ),
          )}
        {children}
      </ul>
      <More
        state={cards.length > limit.value ? 'ready' : 'all'}
        more={() => {
          limit.value += cardsAtOnce
        }}
      />
    </>
  )
}
