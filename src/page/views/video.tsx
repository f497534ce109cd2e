import type { ViewProps } from '../view.ts'

export default function Video(_: ViewProps) {
  return <h1>Video</h1>
}
