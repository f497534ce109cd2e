import { Answering } from '../health/answering.tsx'
import { Profiles } from '../health/profiles.tsx'
import { SettingsTable } from '../health/settings.tsx'
import type { ViewProps } from '../view.ts'

// Who answers, how videos are indexed, and every setting with where it comes from.
export default function Settings(_: ViewProps) {
  return (
    <div class="health">
      <div class="view-head">
        <h1>Settings</h1>
      </div>
      <Answering />
      <Profiles />
      <SettingsTable />
    </div>
  )
}
