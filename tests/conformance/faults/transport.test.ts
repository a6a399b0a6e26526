import { huntFaults } from './hunt.ts'

huntFaults('transport')
