// What ffmpeg is told so that the graphics card decodes; frames stay there until they are small.
export const onCard = ['-hwaccel', 'cuda', '-hwaccel_output_format', 'cuda']
