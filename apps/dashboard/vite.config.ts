import react from '@vitejs/plugin-react'
import { defineConfig } from 'vite'

const server = 'http://localhost:8080'

export default defineConfig({
  base: '/dashboard/',
  plugins: [react()],
  build: {
    target: 'es2022',
    // Nothing as a data: address, which the policy of the page would refuse as a script or a font.
    assetsInlineLimit: 0,
    // Browsers that know modules preload by themselves.
    modulePreload: { polyfill: false },
  },
  // `pnpm --filter @ratecard/dashboard dev` beside a server that runs: its interface is the server's.
  server: { proxy: { '/dashboard/api': { target: server } } },
})
