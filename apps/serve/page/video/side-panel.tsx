import { type ReadonlySignal, type Signal, useComputed } from '@preact/signals'
import type { VideoDetails } from '../../../../src/core/api/video.ts'
import { AskForm } from '../chat/ask-form.tsx'
import { Chat } from '../chat/chat.tsx'
import type { Conversation } from '../chat/conversation.ts'
import type { Column, LaneName } from '../lanes/columns.ts'
import { findIndexJob } from '../library/state.tsx'
import { ProblemNotice } from '../parts/problem.tsx'
import { Tabs } from '../parts/tabs.tsx'
import type { PlayerClock } from '../player/clock.ts'
import type { RowSource, ShownRow } from '../rows/row-source.ts'
import { RowList } from '../rows/rows.tsx'
import { columnOfTab, rowTabs } from '../rows/tabs.ts'
import { PeopleList } from './people-list.tsx'

interface SidePanelProps {
  video: VideoDetails
  chat: Conversation
  clock: PlayerClock
  tab: Signal<string>
  columns: ReadonlySignal<ReadonlyMap<LaneName, Column>>
  busy: boolean
  source: RowSource
  lit: ReadonlySignal<ShownRow | undefined>
  jump(row: ShownRow): void
}

// All that is not the picture: the conversation, what the index holds, and at its foot, at every size, the question.
export function SidePanel({ video, chat, clock, tab, columns, busy, source, lit, jump }: SidePanelProps) {
  const rowTab = rowTabs.find(({ name }) => name === tab.value)
  const people = (video.people?.people.length ?? 0) + (video.people?.looks.length ?? 0)
  const counts = useComputed(() =>
    rowTabs.map(one => ({ ...one, count: columnOfTab(one, columns.value)?.starts.length ?? 0 })),
  )
  const tabs = [
    { name: 'ask', title: 'Ask' },
    ...counts.value.flatMap(({ name, title, count }) =>
      count === 0 && name === 'notes' ? [] : [{ name, title, dim: count === 0 }],
    ),
    ...(people > 0 ? [{ name: 'people', title: 'People' }] : []),
  ]
  return (
    <div class="side panel">
      <Tabs
        label="Ask and read"
        tabs={tabs}
        chosen={tab.value}
        panel="side"
        choose={name => {
          tab.value = name
        }}
      />
      <div id="side" class="side-body" role="tabpanel" aria-labelledby={`tab-side-${tab.value}`}>
        {tab.value === 'ask' && <Chat video={video} chat={chat} clock={clock} jump={jump} />}
        {rowTab && <RowList key={rowTab.name} tab={rowTab} {...{ video, clock, columns, busy, source, lit, jump }} />}
        {tab.value === 'people' && <PeopleList video={video} clock={clock} jump={jump} />}
      </div>
      {chat.error.value && <ProblemNotice error={chat.error.value} />}
      <AskForm
        chat={chat}
        hint={hint(video)}
        asked={() => {
          tab.value = 'ask'
        }}
      />
    </div>
  )
}

function hint({ id, coverage }: VideoDetails): string {
  if (coverage) return 'Ask about this video…'
  return findIndexJob(id) ? 'Ask: answered when indexing is done…' : 'Ask: this starts indexing…'
}
