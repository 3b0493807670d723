# never: what a learner's code says runs in a teacher's browser or sheet
# seen: 9
# class: chapter2
# others: less
# untold: <nothing>

#@ handins
under("mallory", wrong(
    tensor__Tensor__numpy="raise ValueError('=HYPERLINK(1)</pre><script>evil-script</script>"
    "<img src=x onerror=evil-script>\\n\\n![x](http://127.0.0.1/x.png)\\n \\n::error::x\\n]]></failure>')",
    tensor__Tensor__shape="raise ValueError('\uff1d1+1')",
    tensor__Tensor__detach="raise type('</td><script>evil-script</script>', (Exception,), {})('=1+1')",
))
