import type { ComponentType } from 'preact'

// A view is a file in views/: its default export.
export type View = ComponentType<ViewProps>

export interface ViewProps {
  params: Readonly<Record<string, string>> // of the address
}
