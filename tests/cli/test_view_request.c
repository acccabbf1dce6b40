// Requests of the page: what is understood, piece by piece, and what is refused.
#include "view/view_request.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

static RequestState read_text(const char *text, Request *request)
{
    static char buffer[REQUEST_MOST + 1];
    memcpy(buffer, text, strlen(text));
    return request_read(buffer, strlen(text), request);
}

static void every_beginning_is_incomplete(void **unused)
{
    (void)unused;
    static const char text[] = "POST /abc/set HTTP/1.1\r\nHost: [::1]:80\r\nX: y\r\n"
                               "content-length: 5\r\n\r\na=1.5";
    char buffer[sizeof text + 1];
    Request request;
    for (size_t length = 0; length + 1 < sizeof text; ++length) {
        memcpy(buffer, text, length);
        assert_int_equal(request_read(buffer, length, &request), REQUEST_INCOMPLETE);
    }
    memcpy(buffer, text, sizeof text - 1);
    assert_int_equal(request_read(buffer, sizeof text - 1, &request), REQUEST_COMPLETE);
    assert_string_equal(request.method, "POST");
    assert_string_equal(request.path, "/abc/set");
    assert_string_equal(request.host, "::1");
    assert_string_equal(request.body, "a=1.5");
}

static void wrong_ones_are_refused(void **unused)
{
    (void)unused;
    static const char *const wrong[] = {
        "\r\n\r\n",
        "GET / HTTP/1.1\r\n\r\n",
        "GET x HTTP/1.1\r\nHost: a\r\n\r\n",
        "GET / HTTP/2\r\nHost: a\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n",
        "GET / HTTP/1.1\r\nHost : a\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\n folded\r\n\r\n",
        "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\nx",
        "GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1x\r\n\r\nx",
        "GET / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n",
    };
    Request request;
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; ++i)
        assert_int_equal(read_text(wrong[i], &request), REQUEST_BAD);
    assert_int_equal(read_text("GET / HTTP/1.1\r\nHost: a\r\nContent-Length: 1025\r\n\r\n",
                               &request),
                     REQUEST_TOO_LARGE);
}

// Whatever comes, it is answered or waited for; the address sanitizer watches.
static void noise_is_survived(void **unused)
{
    (void)unused;
    static const char *const pieces[] = {"GET ",   "/", " HTTP/1.1", "\r\n",
                                         "Host: ", "a", ":",         "Content-Length: ",
                                         "7",      "[", "]",         "\r\n\r\n",
                                         " ",      "\t"};
    uint64_t seed = 1;
    Request request;
    for (int round = 0; round < 20000; ++round) {
        char text[256] = "";
        for (int i = 0; i < 16; ++i) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            strcat(text, pieces[(seed >> 33) % (sizeof pieces / sizeof pieces[0])]);
        }
        char *exact = malloc(strlen(text) + 1);
        memcpy(exact, text, strlen(text));
        const RequestState state = request_read(exact, strlen(text), &request);
        assert_true(state >= REQUEST_INCOMPLETE && state <= REQUEST_TOO_LARGE);
        if (state == REQUEST_COMPLETE)
            assert_true(strlen(request.host) < 256 && request.path[0] == '/');
        free(exact);
    }
}

static void hosts(void **unused)
{
    (void)unused;
    assert_true(request_host_is_good("LocalHost", NULL));
    assert_true(request_host_is_good("127.0.0.1", NULL));
    assert_true(request_host_is_good("::1", NULL));
    assert_false(request_host_is_good("", NULL));
    assert_false(request_host_is_good("localhost.evil.example", NULL));
    assert_false(request_host_is_good("10.0.0.1", NULL));
    assert_true(request_host_is_good("10.0.0.1", "0.0.0.0"));
    assert_true(request_host_is_good("bench.lan", "bench.lan"));
    assert_false(request_host_is_good("evil.example", "0.0.0.0"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_beginning_is_incomplete),
        cmocka_unit_test(wrong_ones_are_refused),
        cmocka_unit_test(noise_is_survived),
        cmocka_unit_test(hosts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
