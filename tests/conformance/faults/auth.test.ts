import { huntFaults } from './hunt.ts'

huntFaults('auth')
