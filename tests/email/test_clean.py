import pytest
from hypothesis import given
from hypothesis import strategies as st

from laya.email import clean_email_body
from laya.errors import ArgumentError, ArgumentTypeError

QUOTED = [
    "On Mon, 6 May 2024 at 10:11, Support <support@shop.com> wrote:",
    "On 06/05/2024 10:11, Support wrote:",
    "On Mon, 6 May 2024 at 10:11, Support\n<support@shop.com> wrote:",
    "Am 06.05.2024 um 10:11 schrieb Support:",
    "Am Mo., 6. Mai 2024 um 10:11 Uhr schrieb Support <support@shop.de>:",
    "Le lun. 6 mai 2024 à 10:11, Support <support@shop.fr> a écrit :",
    "El lun, 6 may 2024 a las 10:11, Soporte (<s@shop.es>) escribió:",
    "Em seg., 6 de mai. de 2024 às 10:11, Suporte <s@shop.br> escreveu:",
    "Il giorno lun 6 mag 2024 alle ore 10:11 Supporto <s@shop.it> ha scritto:",
    "Op ma 6 mei 2024 om 10:11 schreef Support <s@shop.nl>:",
    "Den mån 6 maj 2024 kl 10:11 skrev Support <s@shop.se>:",
    "Dne po 6. 5. 2024 v 10:11 uživatel Podpora <s@shop.cz> napsal:",
    "W dniu 6.05.2024 o 10:11 Support pisze i napisał:",
    "2024-05-06 10:11 GMT+02:00 Support <support@shop.com>:",
    "Support <support@shop.com> schrieb am Mo., 6. Mai 2024, 10:11:",
    "Support <s@shop.cn> 于2024年5月6日周一 写道：",  # noqa: RUF001 - as Chinese programs write it
    "-----Original Message-----\nFrom: Support\nSent: Monday\nSubject: Re: lamp",
    "-----Ursprüngliche Nachricht-----\nVon: Support\nGesendet: Montag\nBetreff: Lampe",
    "From: Support <support@shop.com>\nSent: Monday, 6 May\nTo: Me\nSubject: Re: lamp",
    "Von: Support\nGesendet: Montag, 6. Mai\nAn: Ich\nBetreff: AW: Lampe",
    "________________________________\nFrom: Support\nSent: Monday\nSubject: lamp",
]


@pytest.mark.parametrize("mark", QUOTED)
def test_a_quoted_message_goes_and_the_answer_stays(mark):
    answer = "The lamp still does not work, I want my money back."
    assert clean_email_body(f"{answer}\n\n{mark}\n\n> Did you restart it?\n> Regards, Support") == answer
    if not mark.startswith(("W dniu", "Dne")):
        assert clean_email_body(f"{answer}\n\n{mark}\nDid you restart it?") == answer


@pytest.mark.parametrize("mark", QUOTED)
def test_a_mail_is_never_reduced_to_a_mark(mark):
    assert clean_email_body(f"{mark}\n\nThe lamp does not work.") == "The lamp does not work."
    assert clean_email_body(f"{mark}\n\n> The lamp does not work.") == "The lamp does not work."


@pytest.mark.parametrize("note", ["FYI see below", "Siehe unten.", "Bitte übernehmen, weitergeleitet von mir", "?", ""])
@pytest.mark.parametrize(
    "mark",
    [
        "---------- Forwarded message ---------\nFrom: Bob <bob@x.com>\nDate: Monday\nSubject: lamp\nTo: me",
        "Begin forwarded message:\n\nFrom: Bob\nSubject: lamp",
        "-------- Weitergeleitete Nachricht --------\nBetreff: Lampe\nVon: Bob",
        "From: Bob <bob@x.com>\nSent: Monday\nSubject: lamp",
        "On Monday at noon, Bob <bob@x.com> wrote:",
    ],
)
def test_the_message_under_a_note_that_says_little_is_kept(note, mark):
    text = clean_email_body(f"{note}\n\n{mark}\n\nMy lamp arrived broken, I want my money back.")
    assert text.endswith("My lamp arrived broken, I want my money back.")
    assert text.startswith(note)
    assert "Bob" not in text


def test_a_forwarded_message_stays_under_a_long_note_too():
    note = "This customer has been waiting for two weeks now, please take care of the refund as soon as you can."
    text = clean_email_body(
        f"{note}\n\n---------- Forwarded message ---------\nFrom: Bob\nSubject: x\n\nRefund please."
    )
    assert text == f"{note}\n\nRefund please."


def test_answers_between_and_under_quoted_lines_are_kept():
    body = "On Monday, Support <s@x.com> wrote:\n> Which lamp?\nThe blue desk lamp.\n> Since when?\nSince Tuesday.\n"
    assert clean_email_body(body) == "The blue desk lamp.\nSince Tuesday."


@pytest.mark.parametrize(
    "signature",
    [
        "-- \nTom Smith\nShop Ltd, 5 Main Street",
        "Best regards,\nTom Smith\n+44 20 1234",
        "Kind regards\nTom",
        "Thanks, Tom",
        "Mit freundlichen Grüßen\nTom Schmidt",
        "Viele Grüße, Tom",
        "Cordialement,\nTom",
        "Un saludo\nTom",
        "Atenciosamente,\nTom",
        "Met vriendelijke groet,\nTom",
        "Sent from my iPhone",
        "Von meinem iPhone gesendet",
        "Get Outlook for iOS",
    ],
)
def test_signatures_and_footers_go(signature):
    assert clean_email_body(f"Hello,\n\nplease cancel order 7.\n\n{signature}") == "Hello,\n\nplease cancel order 7."


def test_words_of_a_signature_inside_a_text_stay():
    text = "Thanks for the quick answer, it works.\nBest regards from Berlin to the whole team who helped me!"
    assert clean_email_body(text) == text
    listed = "Please send:\n- two lamps\n- one desk\n-- and a chair"
    assert clean_email_body(listed) == listed


def test_a_postscript_under_a_signature_stays():
    body = "Please cancel order 7.\n\nBest regards\nTom\n\nPS: order 8 as well."
    assert clean_email_body(body) == "Please cancel order 7.\n\nPS: order 8 as well."


def test_a_filled_in_form_is_not_taken_for_headers():
    form = "I want to book a flight:\nFrom: Berlin\nTo: Paris\nDate: 5 May"
    assert clean_email_body(form) == form


@pytest.mark.parametrize(
    "notice",
    [
        "This e-mail is confidential and intended only for the addressee.",
        "If you are not the intended recipient, please delete it.",
        "Diese E-Mail enthält vertrauliche Informationen.",
        "Ce message est confidentiel.",
        "Please consider the environment before printing this e-mail.",
        "CONFIDENTIALITY NOTICE: do not read this.",
    ],
)
def test_legal_notices_go_sentence_by_sentence(notice):
    assert clean_email_body(f"Please cancel order 7.\n\n{notice}") == "Please cancel order 7."
    assert (
        clean_email_body(f"Please cancel order 7. {notice} Thank you all!") == "Please cancel order 7. Thank you all!"
    )
    assert clean_email_body(notice) == notice


def test_html_becomes_text():
    html = (
        "<html><head><style>p {color: red}</style></head><body><div style='display:none'>preheader</div>"
        "<p>Please <b>cancel</b> order&nbsp;7.</p><p>Now!</p>"
        "<blockquote type='cite'><p>What do you want?</p></blockquote></body></html>"
    )
    assert clean_email_body(html) == "Please cancel order 7.\n\nNow!"
    assert clean_email_body("one<br>two<br/>three") == "one\ntwo\nthree"
    assert clean_email_body("<!-- nothing --><html></html>") == ""


def test_quotes_in_html_go():
    html = (
        '<div dir="ltr">It still does not work, sorry.</div><br><div class="gmail_quote"><div class="gmail_attr">'
        "On Mon, 6 May 2024 at 10:11, Support &lt;<a href='mailto:s@x.com'>s@x.com</a>&gt; wrote:<br></div>"
        '<blockquote class="gmail_quote"><div>Did you restart?</div></blockquote></div>'
    )
    assert clean_email_body(html) == "It still does not work, sorry."


@pytest.mark.parametrize(
    "text", ["a < b and c > d", "my <div> is wrong", "write to <bob@x.com> <now>", "if x <br then"]
)
def test_text_with_angle_brackets_is_not_html(text):
    assert clean_email_body(text) == text


def test_line_ends():
    assert clean_email_body("a\r\nb\rc") == "a\nb\nc"
    assert clean_email_body("a\\nb\\r\\nc") == "a\nb\nc"
    assert clean_email_body("see C:\\new\nfolder") == "see C:\\new\nfolder"
    assert clean_email_body("a  \n\n\n\n\nb\n") == "a\n\nb"


def test_the_result_has_a_limit():
    assert clean_email_body("word " * 5000, max_chars=11) == "word word w"
    assert clean_email_body("text", max_chars=0) == ""
    assert clean_email_body(None) == clean_email_body("") == clean_email_body(" \n") == ""


@pytest.mark.parametrize("bad", [-1, True, 1.5, "9", None])
def test_max_chars_is_an_int_of_at_least_zero(bad):
    with pytest.raises(ArgumentError, match="max_chars must be an int of at least 0, got "):
        clean_email_body("x", bad)


@pytest.mark.parametrize("bad", [b"x", 5, ["x"], {"body": "x"}])
def test_a_body_is_text(bad):
    with pytest.raises(ArgumentTypeError, match="an email body must be a str, got "):
        clean_email_body(bad)


PIECES = st.sampled_from(
    [
        *QUOTED,
        "FYI",
        "see below",
        "> quoted",
        "-- ",
        "Thanks,",
        "Best regards",
        "Sent from my iPhone",
        "---------- Forwarded message ---------",
        "From: a@b.c",
        "Subject: x",
        "________",
        "Please cancel order 7 because the lamp is broken.",
        "",
    ]
)


@given(st.lists(PIECES | st.text(max_size=20), max_size=12).map("\n".join), st.integers(0, 60))
def test_any_text_is_cleaned_within_its_limit_and_words_are_never_lost_whole(text, limit):
    assert len(clean_email_body(text, limit)) <= limit
    if "lamp is broken" in text and "<" not in text:
        assert clean_email_body(text)


@pytest.mark.parametrize(
    "hostile",
    [
        "Am x schrieb " * 3000,
        "On a wrote " * 3000,
        "From: a\n" * 6000,
        "> " * 20000,
        "- " * 20000,
        " \n" * 20000,
        "<blockquote " * 5000,
        "<" * 50000,
        "On x\n" * 6000,
        "<div>" * 5000 + "x" + "</div>" * 5000,
        ("e-mail " * 50 + "\n") * 300,
        "1<a@b>" * 5000,
    ],
)
def test_hostile_mail_does_not_hang(hostile):
    assert len(clean_email_body(hostile)) <= 3000
