import type { ViewProps } from '../view.ts'

export default function Library(_: ViewProps) {
  return <h1>Library</h1>
}
