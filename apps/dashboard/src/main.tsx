import { QueryClientProvider } from '@tanstack/react-query'
import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { queryClient } from './api/query-client.ts'
import { App } from './App.tsx'
import { Toasts } from './components/Toast.tsx'
import { applyTheme } from './theme.ts'
import './styles/tokens.css'
import './styles/base.css'
import './components/components.css'
import './layout/layout.css'

applyTheme()

createRoot(document.getElementById('root')!).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>
      <App />
      <Toasts />
    </QueryClientProvider>
  </StrictMode>,
)
