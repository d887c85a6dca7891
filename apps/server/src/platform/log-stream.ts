import { writeSync } from 'node:fs'
import type { DestinationStream } from 'pino'

/**
 * Writes log lines to a file descriptor, all of one round of the event loop at once: a call of the system for every
 * line would cost a busy server as much as the rest of the line. At the end of the process nothing is missing.
 */
export function openLogStream(fd: number): DestinationStream {
  let lines = ''
  const flush = () => {
    const text = lines
    lines = ''
    if (text) writeAll(fd, text)
  }
  process.on('exit', flush)
  return {
    write(line) {
      if (!lines) setImmediate(flush)
      lines += line
    },
  }
}

function writeAll(fd: number, text: string): void {
  let bytes = Buffer.from(text)
  while (bytes.length > 0) {
    try {
      bytes = bytes.subarray(writeSync(fd, bytes))
    } catch (error) {
      // EAGAIN is a pipe whose reader is slow. Any other error leaves no reader for a report.
      if ((error as NodeJS.ErrnoException).code !== 'EAGAIN') return
      Atomics.wait(nothing, 0, 0, 1)
    }
  }
}

const nothing = new Int32Array(new SharedArrayBuffer(4))
