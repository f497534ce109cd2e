import { formatTime } from '../../core/time.ts'
import { openLibrary } from '../../store/library.ts'
import { fileName } from '../sanitise.ts'
import { columns } from '../show/columns.ts'
import type { CommandRun } from '../table-types.ts'
import { result } from '../watching.ts'

const ls: CommandRun = async call => {
  const videos = await openLibrary(await call.home()).list()
  result(
    call,
    () => ({ videos: videos.map(({ id, name, path, duration, bytes }) => ({ id, name, path, duration, bytes })) }),
    () => {
      if (videos.length === 0) return ['No video is known yet.']
      return columns(
        videos.map(({ id, name, path, duration }) => [id, formatTime(duration), fileName(name), fileName(path)]),
      )
    },
  )
  return 0
}
export default ls
