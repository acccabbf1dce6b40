#!/usr/bin/env bash
# stiction view: who may ask for what, what refuses to be broken, and how it ends.
# shellcheck source=setup.sh
. "$(dirname "$0")/setup.sh"
process=

listens_or_ended() { grep -q http out || ! kill -0 $process 2>/dev/null; }

start() # ARGUMENTS...
{
    : >out >err # the address of the one before is not to be taken for that of this one
    "$stiction" view "$@" >out 2>err &
    process=$!
    eventually listens_or_ended || fail "view $* does not print an address"
    address=$(grep -o 'http://[^ ]*' out)
    port=$(sed -E 's|.*:([0-9]+)/.*|\1|' <<<"$address")
    token=$(sed -E 's|.*/([0-9a-f]+)/$|\1|' <<<"$address")
}

stop() # SIGNAL
{
    kill -s "$1" $process
    wait $process
    [ $? -eq 0 ] || fail "$1 does not end it with 0"
}

# ask TEXT: sends it as it stands (printf escapes), keeps the answer.
ask()
{
    { exec 5<>"/dev/tcp/127.0.0.1/$port"; } 2>/dev/null || { fail "nobody listens"; return; }
    # shellcheck disable=SC2059
    printf "$1" >&5 2>/dev/null
    timeout 30 cat <&5 2>/dev/null | tr -d '\r' >answer
    exec 5<&- 5>&-
}

status() { head -n 1 answer | cut -d ' ' -f 2; }
wants() # CODE WHAT
{
    [ "$(status)" = "$1" ] || fail "$2 gives '$(head -n 1 answer)', not $1"
}
get() { ask "GET $1 HTTP/1.1\r\nHost: ${2-localhost}\r\n\r\n"; } # PATH HOST
post() # WORD BODY
{
    ask "POST /$token/$1 HTTP/1.1\r\nHost: 127.0.0.1:$port\r\nContent-Length: ${#2}\r\n\r\n$2"
}

start scenes/long.yaml
if grep -q "built without its report page" err; then
    echo "built without the page: nothing was tested"
    exit 77
fi
says out "open in a browser: http://127.0.0.1:"
says out "Ctrl-C ends it"
[ ${#token} -eq 32 ] || fail "the token is '$token'"
silent err

get "/$token/"
wants 200 "the page"
says answer "<!doctype html>"
says answer "Content-Type: text/html"
says answer "Referrer-Policy: no-referrer"
get "/$token/" "127.0.0.1:$port"
wants 200 "the number as host"

# Without the token, or under another name.
get /
wants 403 "no token"
get "/${token:0:31}x/"
wants 403 "a wrong token"
get "/${token:0:31}/"
wants 403 "a short token"
get "/$token/" evil.example
wants 403 "another host"
get "/$token/" "127.0.0.1.evil.example"
wants 403 "a host that begins well"
get "/$token/" "192.168.1.1:$port"
wants 403 "another number"
ask "POST /set HTTP/1.1\r\nHost: localhost\r\nContent-Length: 16\r\n\r\nfriction.level=9"
wants 403 "a change without the token"

# The stream: frames, thirty a second where the machine has time, and time that grows.
exec 5<>"/dev/tcp/127.0.0.1/$port"
printf 'GET /%s/events HTTP/1.1\r\nHost: localhost\r\n\r\n' "$token" >&5
began=${EPOCHREALTIME/./}
timeout 60 sed '/^data: .*"k":/{x;s/^/x/;/x\{31\}/{x;q};x}' <&5 >stream
took=$((${EPOCHREALTIME/./} - began)) # microseconds
exec 5<&- 5>&-
says stream "text/event-stream"
grep -o '"k":[0-9]*' stream | cut -d : -f 2 >steps
[ "$(wc -l <steps)" -eq 31 ] || fail "only $(wc -l <steps) frames in a minute"
[ "$took" -ge 750000 ] || fail "30 frames after the first in $took microseconds"
sort -n -c steps || fail "time goes back"
[ "$(tail -n 1 steps)" -gt "$(($(head -n 1 steps) + 100))" ] || fail "the run does not go on"

# Changes.
post set friction.level=9
wants 200 "a change"
post set friction.level=-9
wants 422 "a refused value"
says answer "friction.level: "
post set friction.levle=9
wants 422 "an unknown parameter"
post set step=0.1
wants 422 "the step"
for body in friction.level friction.level= friction.level=nan friction.level=1e999 =3 "friction.level=3 4" ""; do
    post set "$body"
    grep -qE '^HTTP/1.1 4(00|22)' answer || fail "'$body' gives $(head -n 1 answer)"
done
post pause ""
wants 200 "pause"
post speed -3
wants 400 "a negative speed"
post restart ""
wants 200 "restart"
post nothing ""
wants 404 "an unknown word"
get "/$token/../../etc/passwd"
wants 404 "an unknown path"
ask "PUT /$token/ HTTP/1.1\r\nHost: localhost\r\n\r\n"
wants 405 "another method"

# Garbage.
big=$(head -c 9000 /dev/zero | tr '\0' a)
ask "$big\r\n\r\n"
wants 413 "a long head"
ask "POST /$token/set HTTP/1.1\r\nHost: localhost\r\nContent-Length: 99999999999999999999\r\n\r\n"
wants 413 "a huge body"
for text in "\r\n\r\n" "GET\r\n\r\n" "GET /$token/ HTTP/9\r\nHost: localhost\r\n\r\n" "GET /$token/ HTTP/1.1\r\n\r\n" \
    "GET /$token/ HTTP/1.1\r\nHost: localhost\r\nHost: evil\r\n\r\n" "\000\001\002\377" \
    "GET /$token/ HTTP/1.1\r\nHost localhost\r\n\r\n" \
    "POST /$token/set HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n" \
    "POST /$token/set HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n"; do
    ask "$text"
    wants 400 "'$text'"
done
# Connections that say nothing, or do not listen, do not stop it.
for _ in $(seq 40); do
    exec {silent_one}<>"/dev/tcp/127.0.0.1/$port"
    printf 'GET /' >&"$silent_one"
done
get "/$token/"
wants 200 "the page behind forty silent ones"
silent err
stop INT

start scenes/spring.yaml --quiet --speed 0
[ "$(cat out)" = "$address" ] || fail "--quiet prints more than the address"
post set parameters.pull=3
wants 200 "a name of the scene"
post set parameters.pul=3
wants 422 "an unknown name of the scene"
get "/$token/"
says answer '"parameters.pull",3,'
stop TERM
silent err
start scenes/diverges.yaml --speed 0 --quiet
eventually [ -s err ]
says err "stopped at t = "
get "/$token/"
wants 200 "the page of a run that failed"
stop INT

code 2 view scenes/plain.yaml --port 70000
says err "--port needs a number from 0 to 65535"
code 2 view scenes/plain.yaml --speed fast
says err "--speed needs a number"
code 3 view scenes/plain.yaml --listen 256.1.1.1
says err "cannot listen on 256.1.1.1"
code 2 view scenes/broken.yaml
finish
