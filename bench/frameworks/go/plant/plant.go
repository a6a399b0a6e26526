// Package plant reads the plant of a request exactly.
package plant

import (
	"bytes"
	"encoding/json"
	"io"
	"math/big"
	"net/http"
	"os"
	"regexp"
	"strings"
	"unicode/utf8"
)

// Rejection is the Error of the contract.
type Rejection struct {
	Error   int    `json:"error"`
	Message string `json:"message"`
}

var bearer = regexp.MustCompile(`^(?i:bearer) +(\S+)$`)

// Read judges a request and gives the response: 200 with a plant, or 400 with a rejection.
func Read(request *http.Request) (int, any) {
	given := bearer.FindStringSubmatch(request.Header.Get("Authorization"))
	if given == nil || given[1] != os.Getenv("STORE_TOKEN") {
		return 400, Rejection{1, "a valid bearer token is needed"}
	}
	media, _, _ := strings.Cut(request.Header.Get("Content-Type"), ";")
	if !strings.EqualFold(strings.TrimSpace(media), "application/json") {
		return 400, Rejection{2, "the body is not application/json"}
	}
	body, err := io.ReadAll(request.Body)
	if err != nil || !utf8.Valid(body) || !json.Valid(body) {
		return 400, Rejection{3, "the body is not JSON"}
	}
	// A map has the names as they are written; a struct ignores their letter case.
	var members map[string]json.RawMessage
	if json.Unmarshal(body, &members) != nil || members == nil {
		return 400, Rejection{4, "the body is not an object"}
	}
	if !isInt64(members["id"]) {
		return 400, Rejection{5, "id is not an int64"}
	}
	plant := map[string]string{}
	for _, name := range []string{"name", "tag"} {
		text, ok := members[name]
		if !ok && name == "tag" {
			continue
		}
		var value any
		if json.Unmarshal(text, &value) != nil {
			return 400, Rejection{6, name + " is missing"}
		}
		if plant[name], ok = value.(string); !ok {
			return 400, Rejection{7, name + " is not a string"}
		}
	}
	return 200, plant
}

var number = regexp.MustCompile(`^-?\d+(\.\d+)?([eE][+-]?\d{1,3})?$`)

func isInt64(text json.RawMessage) bool {
	text = bytes.TrimSpace(text)
	if !number.Match(text) {
		return false
	}
	value, ok := new(big.Rat).SetString(string(text))
	return ok && value.IsInt() && value.Num().IsInt64()
}
