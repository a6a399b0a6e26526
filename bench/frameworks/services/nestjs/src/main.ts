// Concerts, as the documentation of Nest writes a service: controllers, DTOs with class-validator, @nestjs/swagger.
import 'reflect-metadata'
import { Module, ValidationPipe } from '@nestjs/common'
import { NestFactory } from '@nestjs/core'
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger'
import { AuthGuard, ConcertsController, OtherController, TicketsController } from './controllers.js'

@Module({ controllers: [ConcertsController, TicketsController, OtherController], providers: [AuthGuard] })
class AppModule {}

const app = await NestFactory.create(AppModule, { logger: false })
app.useGlobalPipes(new ValidationPipe({ transform: true, whitelist: true }))
const config = new DocumentBuilder().setTitle('Concerts').setVersion('1.0.0').addBearerAuth().build()
SwaggerModule.setup('api', app, () => SwaggerModule.createDocument(app, config))
await app.listen(Number(process.env.PORT), '127.0.0.1')
