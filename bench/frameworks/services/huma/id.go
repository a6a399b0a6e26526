package main

import (
	"crypto/rand"
	"fmt"
)

func newID() string {
	bytes := make([]byte, 16)
	rand.Read(bytes)
	bytes[6] = bytes[6]&0x0f | 0x40
	bytes[8] = bytes[8]&0x3f | 0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", bytes[0:4], bytes[4:6], bytes[6:8], bytes[8:10], bytes[10:])
}
