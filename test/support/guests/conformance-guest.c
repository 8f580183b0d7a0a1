// The same as `conformance-guest.js`, in C without any library: the canonical ABI by hand. The compiled module is beside this file.
// After a change:
//   clang-14 --target=wasm32 -Os -nostdlib -ffreestanding -fno-builtin -Wall -Wextra -Wl,--no-entry -Wl,--strip-all \
//     conformance-guest.c -o conformance-guest.core.wasm
typedef unsigned char u8;
typedef unsigned short u16;
typedef unsigned int u32;

typedef struct { const char *at; u32 length; } text;
typedef struct { u8 is_some; text value; } maybe_text;
typedef struct { text name, value; } header;
typedef struct { header *at; u32 length; } headers;
typedef struct { text *at; u32 length; } texts;
typedef struct { text type, id, name; } hit;
typedef struct { hit *at; u32 length; } hits;
typedef struct { u8 is_error; text text; } text_result;
typedef struct { u8 severity; maybe_text field; text message; } finding;
typedef struct { u8 is_error; finding *at; u32 length; } findings_result;
typedef struct { u8 is_error; maybe_text value; } save_result;
typedef struct { u16 status; headers headers; text body; } response;
typedef struct { u8 is_error; response value; } response_result;
#define ERROR_OF(result) (*(text *)((u8 *)&(result) + 4))

#define IMPORT(module, name) __attribute__((import_module("canonry:plugin/" module "@1.0.0"), import_name(name))) extern
#define EXPORT(name) __attribute__((export_name(name)))
#define OURS(name) EXPORT("canonry:plugin/" name)
#define DONE(name) EXPORT("cabi_post_canonry:plugin/" name)

IMPORT("log", "log") void log_line(u32 level, const char *, u32);
IMPORT("entities", "get") void get_entity(const char *, u32, const char *, u32, maybe_text *);
IMPORT("entities", "list-ids") void list_ids(const char *, u32, u32, u32, const char *, u32, texts *);
IMPORT("entities", "search") void search(const char *, u32, u32, hits *);
IMPORT("entities", "write") void write_entity(const char *, u32, const char *, u32, const char *, u32, text_result *);
IMPORT("settings", "get") void get_settings(text *);
IMPORT("kv", "get") void get_value(const char *, u32, maybe_text *);
IMPORT("kv", "set") void set_value(const char *, u32, const char *, u32, text_result *);
IMPORT("kv", "delete") void delete_value(const char *, u32);
IMPORT("kv", "list") void list_keys(const char *, u32, texts *);
IMPORT("events", "emit") void emit(const char *, u32, const char *, u32, text_result *);
IMPORT("http", "request") void request(const char *, u32, const char *, u32, header *, u32, u32, const char *, u32, response_result *);

// Memory of one call: arguments, and whatever is made of them.
static u8 heap[256 * 1024];
static u32 used;

EXPORT("cabi_realloc") void *cabi_realloc(void *old, u32 old_size, u32 align, u32 size) {
  used = (used + align - 1) / align * align;
  if (size > sizeof heap - used) __builtin_trap();
  u8 *made = heap + used;
  used += size;
  for (u32 at = 0; at < old_size; at += 1) made[at] = ((u8 *)old)[at];
  return made;
}

static u32 length_of(const char *words) {
  u32 length = 0;
  while (words[length]) length += 1;
  return length;
}

#define TEXT(words) ((text){(words), length_of(words)})
#define ARGS(words) (words), length_of(words)
#define NEW(type) ((type *)cabi_realloc(0, 0, _Alignof(type), sizeof(type)))

static int is(text one, const char *other) {
  if (one.length != length_of(other)) return 0;
  for (u32 at = 0; at < one.length; at += 1)
    if (one.at[at] != other[at]) return 0;
  return 1;
}

// A text that grows at its end.
static char page[16 * 1024];
static u32 written;

static void add(text more) {
  if (more.length > sizeof page - written) __builtin_trap();
  for (u32 at = 0; at < more.length; at += 1) page[written + at] = more.at[at];
  written += more.length;
}

static void say(const char *words) { add(TEXT(words)); }

static text copied(void) {
  char *made = cabi_realloc(0, 0, 1, written);
  for (u32 at = 0; at < written; at += 1) made[at] = page[at];
  return (text){made, written};
}

static void say_list(texts list) {
  for (u32 at = 0; at < list.length; at += 1) {
    if (at > 0) say(",");
    add(list.at[at]);
  }
}

static void say_maybe(maybe_text value) {
  if (value.is_some) add(value.value);
  else say("none");
}

static void say_result(text_result result, int has_value) {
  if (result.is_error) say("refused: ");
  if (result.is_error || has_value) add(result.text);
  else say("ok");
}

static void say_status(u16 status) {
  char digits[4] = {'0' + status / 100, '0' + status / 10 % 10, '0' + status % 10, 0};
  say(digits);
}

OURS("metadata@1.0.0#get-info") text *get_info(void) {
  text *info = cabi_realloc(0, 0, 4, 3 * sizeof(text));
  info[0] = TEXT("Conformance");
  info[1] = TEXT("1.2.3");
  info[2] = TEXT("Calls everything: ünï 🦊");
  return info;
}

#define CHANGE const char *type, u32 type_length, const char *id, u32 id_length, const char *entity, u32 entity_length, \
  u32 has_previous, const char *previous, u32 previous_length
#define UNUSED (void)type, (void)type_length, (void)has_previous, (void)previous, (void)previous_length

OURS("hooks@1.0.0#on-entity-validate") findings_result *on_entity_validate(CHANGE) {
  written = 0;
  add((text){type, type_length});
  say("/");
  add((text){id, id_length});
  finding *found = cabi_realloc(0, 0, 4, 3 * sizeof(finding));
  found[0] = (finding){0, {0, {0, 0}}, copied()};
  found[1] = (finding){1, {1, TEXT("name")}, {entity, entity_length}};
  found[2] = (finding){2, {1, TEXT("stats.strength")}, has_previous ? (text){previous, previous_length} : TEXT("new")};
  findings_result *result = NEW(findings_result);
  *result = (findings_result){0, found, 3};
  return result;
}

OURS("hooks@1.0.0#on-entity-save") save_result *on_entity_save(CHANGE) {
  UNUSED;
  save_result *result = NEW(save_result);
  text own = {id, id_length};
  *result = (save_result){0, {!is(own, "same"), {entity, entity_length}}};
  if (is(own, "refused")) {
    result->is_error = 1;
    ERROR_OF(*result) = TEXT("not saved by the guest");
  }
  return result;
}

OURS("hooks@1.0.0#on-entity-create") text_result *on_entity_create(CHANGE) {
  UNUSED;
  text_result *result = NEW(text_result);
  set_value(id, id_length, entity, entity_length, result);
  return result;
}

OURS("hooks@1.0.0#on-entity-delete") text_result *on_entity_delete(CHANGE) {
  UNUSED;
  (void)entity, (void)entity_length;
  delete_value(id, id_length);
  text_result *result = NEW(text_result);
  result->is_error = 0;
  return result;
}

OURS("hooks@1.0.0#on-project-init") text_result *on_project_init(const char *project, u32 length) {
  log_line(1, project, length);
  text_result *result = NEW(text_result);
  result->is_error = 0;
  return result;
}

static void report_request(const char *url) {
  header sent = {TEXT("x-one"), TEXT("1")};
  response_result reply;
  request(ARGS("POST"), ARGS(url), &sent, 1, 1, ARGS("sent"), &reply);
  say("\nrequest ");
  if (reply.is_error) {
    say("refused: ");
    add(ERROR_OF(reply));
    return;
  }
  say_status(reply.value.status);
  say(" ");
  add(reply.value.headers.at[0].name);
  say("=");
  add(reply.value.headers.at[0].value);
  say(" ");
  add(reply.value.body);
}

static void report(void) {
  log_line(0, ARGS("a line of debug"));
  log_line(1, ARGS("a line of info"));
  log_line(2, ARGS("a line of warn"));
  log_line(3, ARGS("a line of error"));
  maybe_text value;
  get_entity(ARGS("character"), ARGS("mira"), &value);
  say("get ");
  say_maybe(value);
  get_entity(ARGS("character"), ARGS("nobody"), &value);
  say("\nget ");
  say_maybe(value);
  texts list;
  list_ids(ARGS("character"), 2, 0, 0, 0, &list);
  say("\nids ");
  say_list(list);
  list_ids(ARGS("character"), 2, 1, ARGS("mira"), &list);
  say("\nids ");
  say_list(list);
  hits found;
  search(ARGS("lamp"), 5, &found);
  say("\nhit ");
  add(found.at[0].type);
  say(" ");
  add(found.at[0].id);
  say(" ");
  add(found.at[0].name);
  text_result result;
  write_entity(ARGS("character"), ARGS("mira"), ARGS("{\"age\":40}"), &result);
  say("\nwrite ");
  say_result(result, 1);
  write_entity(ARGS("character"), ARGS("nobody"), ARGS("{}"), &result);
  say("\nwrite ");
  say_result(result, 1);
  text settings;
  get_settings(&settings);
  say("\nsettings ");
  add(settings);
  set_value(ARGS(""), ARGS("no key"), &result);
  say("\nset ");
  say_result(result, 0);
  set_value(ARGS("colour"), ARGS("blue"), &result);
  say("\nset ");
  say_result(result, 0);
  get_value(ARGS("colour"), &value);
  say("\nvalue ");
  say_maybe(value);
  list_keys(ARGS("col"), &list);
  say("\nkeys ");
  say_list(list);
  delete_value(ARGS("colour"));
  say("\ndeleted ok");
  get_value(ARGS("colour"), &value);
  say("\nvalue ");
  say_maybe(value);
  emit(ARGS("lit"), ARGS("{\"lamp\":1}"), &result);
  say("\nemit ");
  say_result(result, 0);
  emit(ARGS("lit"), ARGS("no json"), &result);
  say("\nemit ");
  say_result(result, 0);
  report_request("https://lamps.example/on");
  report_request("https://other.example/");
}

OURS("routes@1.0.0#handle-request") response_result *handle_request(
    const char *method, u32 method_length, const char *path, u32 path_length, header *given, u32 given_length,
    u32 has_body, const char *body, u32 body_length, const char *user, u32 user_length, const char *role,
    u32 role_length) {
  written = 0;
  response_result *result = NEW(response_result);
  text asked = {path, path_length};
  if (is(asked, "/error")) {
    result->is_error = 1;
    ERROR_OF(*result) = TEXT("no answer");
    return result;
  }
  header *sent = cabi_realloc(0, 0, 4, (given_length + 1) * sizeof(header));
  if (is(asked, "/report")) {
    report();
    sent[0] = (header){TEXT("content-type"), TEXT("text/plain")};
    *result = (response_result){0, {200, {sent, 1}, copied()}};
    return result;
  }
  for (u32 at = 0; at < given_length; at += 1) sent[at] = given[at];
  add((text){user, user_length});
  say(" ");
  add((text){role, role_length});
  sent[given_length] = (header){TEXT("x-user"), copied()};
  written = 0;
  add((text){method, method_length});
  say(" ");
  add(asked);
  say(" ");
  say_maybe((maybe_text){has_body, {body, body_length}});
  *result = (response_result){0, {404, {sent, given_length + 1}, copied()}};
  return result;
}

// The host has read the result.
DONE("metadata@1.0.0#get-info") void done_info(u32 result) { (void)result; used = 0; }
DONE("hooks@1.0.0#on-entity-validate") void done_validate(u32 result) { (void)result; used = 0; }
DONE("hooks@1.0.0#on-entity-save") void done_save(u32 result) { (void)result; used = 0; }
DONE("hooks@1.0.0#on-entity-create") void done_create(u32 result) { (void)result; used = 0; }
DONE("hooks@1.0.0#on-entity-delete") void done_delete(u32 result) { (void)result; used = 0; }
DONE("hooks@1.0.0#on-project-init") void done_init(u32 result) { (void)result; used = 0; }
DONE("routes@1.0.0#handle-request") void done_request(u32 result) { (void)result; used = 0; }
