import { Answering } from '../health/answering.tsx'
import { SettingsTable } from '../health/settings.tsx'
import type { ViewProps } from '../view.ts'

// Who answers, and every setting with where it comes from.
export default function Settings(_: ViewProps) {
  return (
    <div class="health">
      <div class="view-head">
        <h1>Settings</h1>
      </div>
      <Answering />
      <SettingsTable />
    </div>
  )
}
