#!/usr/bin/env bash
# The whole workflow of the service with curl: seven steps, then the other ways to ask.
#
#   BASE_URL=http://127.0.0.1:8000/v1 API_KEY=vp_live_… bash workflow.sh
#
# It needs bash, curl and python3 (to read JSON), and a key with the scopes studies:read and studies:write.
# Each step prints one line. An error answer is printed, and ends the script.
set -euo pipefail
: "${BASE_URL:?is the address of the service, ending in /v1}" "${API_KEY:?is a key of that service}"


# --- Four words that the rest is written in -----------------------------------------------------------------

call() { # call METHOD PATH [HEADER…]: one call. Its body, where it has one, is read from standard input.
    local path=$2 arguments=(--request "$1")
    if [ "$1" = GET ]; then
        arguments+=(--retry 5) # curl waits as long as Retry-After says: 429 when there were too many calls
    else
        arguments+=(--header 'Content-Type: application/json' --data-binary @-)
    fi
    shift 2
    for header in "$@"; do arguments+=(--header "$header"); done
    curl --silent --show-error --fail-with-body "${arguments[@]}" \
        --header "Authorization: Bearer $API_KEY" "$BASE_URL$path"
}

pick() { # pick PATH: one value out of the JSON on standard input, such as group.uuid; of a list, its items
    python3 -c '
import json, sys
told = found = json.load(sys.stdin)
for part in sys.argv[1].split("."):
    if isinstance(found, dict) and part not in found:
        sys.exit(f"The answer has no {sys.argv[1]}: {json.dumps(told)}")
    found = found[part] if isinstance(found, dict) else found[int(part)]
items = found if isinstance(found, list) else [found]
print(*(item if isinstance(item, str) else json.dumps(item) for item in items))' "$1"
}

finished() { # finished JOB_ID…: polls each job until it has ended, and prints the result of the last
    local id job status
    for id in "$@"; do
        status=
        # wait_seconds lets the service answer as soon as the job ends. Without it: look after 45 seconds,
        # then every 20.
        while job=$(call GET "/jobs/$id?wait_seconds=60") && status=$(pick status <<<"$job") &&
            [ "$status" = started ]; do sleep 1; done
        [ "$status" = finished ] || { echo "job $id: $job" >&2 && return 1; }
    done
    pick result <<<"$job"
}

step() { printf '%-22s %s\n' "$1" "$2"; }


# --- The seven steps ----------------------------------------------------------------------------------------

# 1. Say in plain words who is wanted.
request=$(call POST /research-group-requests <<<'{"request_text": "US adults aged 25 to 64", "group_size": 12}' |
    pick request.id)
step '1 request' "$request"

# 2. Poll the request. Only a completed one has a group; the other ends say what they wait for.
status=queued
while [ "$status" = queued ] || [ "$status" = running ]; do
    sleep 0.2
    answer=$(call GET "/research-group-requests/$request")
    status=$(pick request.status <<<"$answer")
done
[ "$status" = completed ] || { echo "$answer" >&2 && exit 1; }
group=$(pick group.uuid <<<"$answer")
step '2 group' "$(pick group.agent_count <<<"$answer") agents: $(pick group.name <<<"$answer")"

# 3. Create a study on the group; it takes the group's UUID.
study=$(call POST /research-studies <<JSON | pick study.id
{"title": "Snack switching", "objective": "Who would switch?", "research_group_uuid": "$group"}
JSON
)
step '3 study' "number $study"

# 4. Ask one question. There is one job per agent.
asked=$(call POST "/research-studies/$study/questions" <<<'{"question": "Would you switch to a lower-sugar snack?"}')
step '4 question' "$(pick question.type <<<"$asked"), asked of $(pick question.asked_count <<<"$asked") agents"

# 5. Poll a job until it is finished; only then ask the next question. One is usually enough, and the last one
#    tends to end last. Here each is polled, to be strict.
result=$(finished $(pick job_ids <<<"$asked"))
step '5 jobs' "finished; the last agent says: $(pick response_text <<<"$result")"

# 6. Complete the study: the analysis runs as a job, too.
completed=$(call POST "/research-studies/$study/complete" <<<'{"force": false}')
finished "$(pick job_id <<<"$completed")" >/dev/null
# The summary tells only of answers that rest on something: a figure of the very question, the agent's profile,
# or a model. The engine that comes along has no figure for this question, and the summary says just that.
step '6 completed' "$(call GET "/research-studies/$study/analysis" | pick steps.overall_summary.text)"

# 7. Share it, look at the page without a key, and close it again. The link is a secret: it is not printed.
status_of() { curl --silent --output /dev/null --write-out '%{http_code}' "$1"; }
link=$(call POST "/research-studies/$study/share" <<<'{"enabled": true}' | pick url)
shared=$(status_of "$link?utm_source=blog")
call POST "/research-studies/$study/share" <<<'{"enabled": false}' >/dev/null
closed=$(status_of "$link")
step '7 share page' "$shared while shared, $closed after"
[ "$shared $closed" = '200 404' ]


# --- Ask one agent, or a group, without a study -------------------------------------------------------------

agent=$(call GET '/agents/find?country=USA&age_min=30&age_max=39&gender=female' | pick agent.id)
asked=$(call POST "/research-agents/$agent/questions" <<<'{"question": "What annoys you about grocery shopping?"}')
finished "$(pick job_id <<<"$asked")" >/dev/null
record=$(call GET "/direct-questions/$(pick question_id <<<"$asked")")
step 'one agent' "$(pick targets.0.agent.name <<<"$record"): $(pick targets.0.answer.response_text <<<"$record")"

asked=$(call POST "/research-groups/$group/questions" <<<'{"question": "Do you own a car?"}')
finished "$(pick job_ids.-1 <<<"$asked")" >/dev/null
record=$(call GET "/direct-questions/$(pick question_uuid <<<"$asked")")
step 'a group' "$(pick artifacts.0.text <<<"$record")"


# --- Recruit by exact filters, more than needed, and keep those who fit -------------------------------------

# Raw filters are for exact control alone; the header says that this is meant.
answer=$(call POST /research-groups/recruit 'X-Filter-Raw-DSL: true' <<JSON
{
    "name": "Perhaps parents",
    "filters": {"match": "all", "filters": {"country": {"any": ["USA"]}, "age": {"min": 25, "max": 64}}},
    "group_size": 40,
    "sample_method": "random",
    "dedupe": true
}
JSON
)
step 'raw filters' "$(pick group.agent_count <<<"$answer") agents, $(pick raw_dsl_mode <<<"$answer")"

# A screening question tells who does not fit …
study=$(call POST /research-studies <<JSON | pick study.id
{"title": "Parents", "objective": "What do parents buy?", "research_group_uuid": "$(pick group.uuid <<<"$answer")"}
JSON
)
asked=$(call POST "/research-studies/$study/questions" <<<'{"question": "Are you a parent?"}')
finished $(pick job_ids <<<"$asked") >/dev/null
mismatched=$(call GET "/research-studies/$study/questions" | python3 -c '
import json, sys
(question,) = json.load(sys.stdin)["questions"]
print(json.dumps([answer["agent_id"] for answer in question["answers"] if answer["value"] is not True]))')

# … they are removed from the study, and the next question is put to the others.
removed=$(call DELETE "/research-studies/$study/agents" <<<"{\"agent_ids\": $mismatched}")
step 'curated' "$(pick agent_count <<<"$removed") of 40 agents are parents and stay"
asked=$(call POST "/research-studies/$study/questions" <<<'{"question": "How many children do you have?"}')
result=$(finished "$(pick job_ids.-1 <<<"$asked")")
step 'next question' "$(pick question.asked_count <<<"$asked") agents asked; the last says: $(
    pick response_text <<<"$result")"


# --- Upload a picture once, and ask two questions about it --------------------------------------------------

# A PNG of one pixel, as base64.
picture=iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==
asset=$(call POST /media-assets <<JSON | pick media_asset.id
{"filename": "packet.png", "mime": "image/png", "file_data": "$picture", "encoding": "base64"}
JSON
)
step 'picture' "asset $asset"
for question in 'Would you buy this?' 'How much would you pay for it, in dollars?'; do
    asked=$(call POST "/research-agents/$agent/questions" <<JSON
{"question": "$question", "attachments": [{"media_asset_id": $asset}]}
JSON
)
    step 'about the picture' "$(finished "$(pick job_id <<<"$asked")" | pick response_text)"
done
step 'done' 'These agents are simulated: what they say is not evidence about people.'
