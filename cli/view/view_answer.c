#include "view/view_answer.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terminal/progress.h"
#include "terminal/text.h"

static const size_t behind_bytes = 1 << 20; // that wait for a viewer: it is too slow for frames

static void reply(Viewer *viewer, const char *status, const char *type, const char *body,
                  size_t length)
{
    char *head = text_new("HTTP/1.1 %s\r\nContent-Type: %s; charset=utf-8\r\n"
                          "Content-Length: %zu\r\nConnection: close\r\nCache-Control: no-store\r\n"
                          "Referrer-Policy: no-referrer\r\nX-Content-Type-Options: nosniff\r\n"
                          "X-Frame-Options: DENY\r\n\r\n",
                          status, type, length);
    viewer_send(viewer, head, strlen(head));
    viewer_send(viewer, body, length);
    viewer->ending = true;
    free(head);
}

static void reply_text(Viewer *viewer, const char *status, const char *text)
{
    reply(viewer, status, "text/plain", text, strlen(text));
}

static void send_text(Viewer *viewer, Text text)
{
    viewer_send(viewer, text.bytes, text.length);
    free(text.bytes);
}

static void send_whole(View *view, Viewer *viewer)
{
    live_system_draw(view->run.system, true);
    viewer_send(viewer, view->parts.bytes, view->parts.length);
    send_text(viewer, message_parameters(&view->run));
    send_text(viewer, message_frame(&view->run, &view->clock, true));
    viewer->behind = false;
}

static void begin_stream(View *view, Viewer *viewer)
{
    static const char head[] = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
                               "Connection: close\r\nCache-Control: no-store\r\n"
                               "X-Content-Type-Options: nosniff\r\n\r\nretry: 500\n\n";
    viewer_send(viewer, head, sizeof head - 1);
    viewer->streaming = true;
    send_whole(view, viewer);
}

// Clients that lag get no frames, but the whole once they have read what waits for them.
static void send_to_all(View *view, Text text)
{
    for (int i = 0; i < VIEWERS; ++i) {
        Viewer *viewer = &view->server.viewers[i];
        if (viewer->socket < 0 || !viewer->streaming) continue;
        if (viewer_pending(viewer) > behind_bytes) viewer->behind = true;
        if (viewer->behind && viewer_pending(viewer) == 0)
            send_whole(view, viewer);
        else if (!viewer->behind)
            viewer_send(viewer, text.bytes, text.length);
    }
}

static void send_and_free(View *view, Text text)
{
    send_to_all(view, text);
    free(text.bytes);
}

void view_send_changes(View *view)
{
    live_run_frame(&view->run);
    send_and_free(view, message_frame(&view->run, &view->clock, false));
    live_run_next(&view->run);
    view->news = false;
}

static bool same(Text a, Text b)
{
    return a.length == b.length && memcmp(a.bytes, b.bytes, a.length) == 0;
}

// Radii, masses and places may be parameters, too.
static void send_parts(View *view)
{
    const Text parts = message_parts(&view->run);
    const Text before = view->parts;
    view->parts = parts;
    if (!same(parts, before)) send_to_all(view, parts);
    free(before.bytes);
}

// "friction.level=12"
static void set(View *view, Viewer *viewer, const char *body)
{
    char why[LIVE_TEXT], *end;
    const char *sign = strchr(body, '=');
    const double value = sign != NULL ? strtod(sign + 1, &end) : NAN;
    if (sign == NULL || end == sign + 1 || *end != '\0' || !isfinite(value)) {
        reply_text(viewer, "400 Bad Request", "PATH=VALUE is needed, the value a finite number\n");
        return;
    }
    char *path = text_new("%.*s", (int)(sign - body), body);
    if (live_run_set(&view->run, path, value, why, sizeof why)) {
        reply_text(viewer, "200 OK", "set\n");
        send_and_free(view, message_parameters(&view->run));
        send_parts(view);
        view->news = true;
    } else {
        reply_text(viewer, "422 Unprocessable Content", why);
    }
    free(path);
}

static void set_clock(View *view)
{
    live_clock_set(&view->clock, clock_now(), live_run_time(&view->run));
    view->news = true;
}

static void set_speed(View *view, Viewer *viewer, const char *body)
{
    char *end;
    const double speed = strtod(body, &end);
    if (end == body || *end != '\0' || !(speed >= 0.0 && speed <= 1e6)) {
        reply_text(viewer, "400 Bad Request", "a speed from 0 to 1e6 is needed\n");
        return;
    }
    view->clock.speed = speed;
    set_clock(view);
    reply_text(viewer, "200 OK", "set\n");
}

static void pause_or_resume(View *view, Viewer *viewer, bool pause)
{
    live_run_pause(&view->run, pause);
    set_clock(view);
    reply_text(viewer, "200 OK", pause ? "paused\n" : "running\n");
}

static void restart(View *view, Viewer *viewer)
{
    char why[LIVE_TEXT];
    if (live_run_restart(&view->run, why, sizeof why)) {
        set_clock(view);
        reply_text(viewer, "200 OK", "started again\n");
    } else {
        reply_text(viewer, "422 Unprocessable Content", why);
    }
}

static void post(View *view, Viewer *viewer, const char *what, const char *body)
{
    if (strcmp(what, "set") == 0)
        set(view, viewer, body);
    else if (strcmp(what, "speed") == 0)
        set_speed(view, viewer, body);
    else if (strcmp(what, "pause") == 0)
        pause_or_resume(view, viewer, true);
    else if (strcmp(what, "resume") == 0)
        pause_or_resume(view, viewer, false);
    else if (strcmp(what, "restart") == 0)
        restart(view, viewer);
    else
        reply_text(viewer, "404 Not Found", "set, speed, pause, resume or restart\n");
}

static void get(View *view, Viewer *viewer, const char *what)
{
    if (strcmp(what, "") == 0) {
        const Text page = message_page(&view->run);
        reply(viewer, "200 OK", "text/html", page.bytes, page.length);
        free(page.bytes);
    } else if (strcmp(what, "events") == 0) {
        begin_stream(view, viewer);
    } else {
        reply_text(viewer, "404 Not Found", "there is nothing of this name\n");
    }
}

void view_answer(void *context, Viewer *viewer, RequestState state, const Request *request)
{
    View *view = context;
    if (state != REQUEST_COMPLETE) {
        const bool large = state == REQUEST_TOO_LARGE;
        reply_text(viewer, large ? "413 Content Too Large" : "400 Bad Request",
                   large ? "too large\n" : "this is no request\n");
        return;
    }
    const char *what = token_rest(view->token, request->path);
    if (!request_host_is_good(request->host, view->address) || what == NULL) {
        reply_text(viewer, "403 Forbidden",
                   "refused: the address that stiction view printed is needed\n");
        return;
    }
    viewer->trusted = true;
    if (strcmp(request->method, "GET") == 0)
        get(view, viewer, what);
    else if (strcmp(request->method, "POST") == 0)
        post(view, viewer, what, request->body);
    else
        reply_text(viewer, "405 Method Not Allowed", "GET or POST\n");
}
