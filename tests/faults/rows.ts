export interface FaultRow {
  id: string // as tests name it: "fault 04: …"
  fault: string
  promise: string
}

// What can go wrong, and what longtake promises then. Every row has at least one test whose name begins with its id.
export const faultRows: readonly FaultRow[] = [
  row(
    1,
    'an empty file, random bytes, text, an MP4 without its tables',
    'Exit 3 with one sentence and a hint; nothing is stored.',
  ),
  row(
    2,
    'an MP4 that is cut off',
    'What is there is indexed; coverage and the answer name the part that is missing; exit 6.',
  ),
  row(3, 'an MKV that is cut off', 'As for MP4, although the decoder reports no error.'),
  row(
    4,
    'damaged bytes, a hole in the middle',
    'The run ends; decoder errors are counted and spans that were not decoded are not covered.',
  ),
  row(
    5,
    'no sound, no picture, or only subtitles',
    'What exists is indexed; what does not is "absent", which is not "nothing found".',
  ),
  row(6, 'cover art as a video stream', 'Cover art is never taken for the picture.'),
  row(7, 'a variable frame rate', 'Times come from the timestamps of the frames, never from their number.'),
  row(
    8,
    'no frame rate, one frame, a still picture',
    'One frame is a video of one shot; a still picture is refused under any name; nothing is divided by zero.',
  ),
  row(9, 'rotated pictures, pixels that are not square', 'Frames are upright and in their true shape.'),
  row(10, 'HDR', 'The picture is tone-mapped to standard range, and the notes say so.'),
  row(11, 'a video of twelve hours', 'Memory stays flat, whatever the length.'),
  row(12, 'unusual file names', 'Every name that the file system allows works, and is shown escaped.'),
  row(
    13,
    'links, pipes, devices, folders',
    'Links are followed; whatever is not a regular file is refused with exit 3 and is never waited for.',
  ),
  row(
    14,
    'a folder that cannot be written',
    'A read-only source is no fault; a read-only data folder is exit 7 with the way to move it.',
  ),
  row(15, 'a full disk', 'Exit 7; no temporary file is left, and the same command finishes once there is space.'),
  row(16, 'kill -9 at any moment', 'Finished stages are reused, and the end equals that of an undisturbed run.'),
  row(
    17,
    'several processes on one video',
    'One works, the others wait and show its progress; any of them may be killed.',
  ),
  row(
    18,
    'ffmpeg is missing, crashes, hangs or floods its output',
    'The run ends in time with a sentence; output is bounded; no process stays behind.',
  ),
  row(19, 'a model server that is not there', 'Exit 4 with the URL and the way to start it.'),
  row(
    20,
    'a model server that is slow, stalls or is overloaded',
    'Every attempt has a deadline; retries back off and honour Retry-After.',
  ),
  row(
    21,
    'replies that are no JSON, HTML, empty, huge, or compressed bombs',
    'A typed error; no reply is read beyond its bound.',
  ),
  row(22, 'a stream that is cut', 'No partial reply counts as a whole one.'),
  row(23, 'invalid tool calls', 'Repaired where the meaning is plain, else refused with the reason; the round counts.'),
  row(24, 'the same tool call for ever', 'The first result is returned with a note, and the run ends.'),
  row(
    25,
    'a prompt that is longer than the context',
    'Old results are shortened and the call is tried once more; cited rows stay.',
  ),
  row(26, 'a judge that replies junk', 'Three tries, then "not judged": listed and never counted as right.'),
  row(
    27,
    'no memory',
    'The stage fails with a sentence, its track is named as not looked at, and the library stays whole.',
  ),
  row(28, 'a clock that jumps', 'No negative duration, no lock taken from a process that works.'),
  row(
    29,
    'Ctrl-C, SIGTERM, SIGHUP, a closed pipe',
    'The command ends within two seconds, names the command that resumes, and exits as the signal asks.',
  ),
  row(
    30,
    'damaged results in the library',
    'The checksum is verified before use; what is damaged is set aside and made again.',
  ),
  row(31, 'a library of another version', 'Older ones are read; newer ones are refused and left untouched.'),
  row(
    32,
    'a video that was replaced',
    'The change is noticed before an answer rests on the old index, also at equal size and time.',
  ),
  row(
    33,
    'any single I/O call that fails',
    'The command completes or ends with a clean error, and the next one finishes the work.',
  ),
]

function row(number: number, fault: string, promise: string): FaultRow {
  return { id: String(number).padStart(2, '0'), fault, promise }
}
