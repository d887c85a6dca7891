import net from 'node:net'

// Preloaded into a program that serves: it listens on a free port, whichever it asked for, and says which.

const { listen } = net.Server.prototype
net.Server.prototype.listen = function (_port, ...rest) {
  this.once('listening', () => console.error(`free-port ${this.address().port}`))
  return listen.call(this, 0, ...rest)
}
